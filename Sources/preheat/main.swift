print("preheat")
