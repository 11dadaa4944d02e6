#include "app/version.h"

#include <cstdio>

int main()
{
    std::printf("heliograph %s\n", helio::version());
    return 0;
}
