#include "app/cli/command_line.h"

#include <cstdio>

int main(int argc, char** argv)
{
    if (const auto status = helio::runCommandLine(argc, argv))
        return *status;
    std::fputs("heliograph: this version has no window yet; heliograph --help lists the commands\n", stderr);
    return 1;
}
