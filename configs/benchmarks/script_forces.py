def law(stretch, rate, k, c):
    return k*stretch + c*rate
