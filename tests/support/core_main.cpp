// main() of the test programs that open no window.

#include "tests/support/test_program.h"

int main(int argc, char** argv)
{
    return helio::test::runTestProgram(argc, argv, [](int& count, char** values) -> std::unique_ptr<QCoreApplication> {
        return std::make_unique<QCoreApplication>(count, values);
    });
}
