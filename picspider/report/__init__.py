"""What a person looks at: one HTML file made from the store, and the same page live on 127.0.0.1."""
