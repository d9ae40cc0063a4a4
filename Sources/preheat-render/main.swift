print("preheat-render")
