#include "app/cli/command_line.h"
#include "app/run_window.h"

int main(int argc, char** argv)
{
    if (const auto status = helio::runCommandLine(argc, argv))
        return *status;
    return helio::runWindow(argc, argv);
}
