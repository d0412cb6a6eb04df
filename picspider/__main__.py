"""`python -m picspider` is the same as `picspider`."""

from picspider.cli import main

if __name__ == "__main__":
    main()
