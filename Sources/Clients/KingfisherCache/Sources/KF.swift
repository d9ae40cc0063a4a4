/// Names that Kingfisher keeps together.
public enum KF {}
