// main() of the test programs that open windows.

#include "tests/support/test_program.h"

#include <QApplication>

int main(int argc, char** argv)
{
    return helio::test::runTestProgram(argc, argv, [](int& count, char** values) -> std::unique_ptr<QCoreApplication> {
        return std::make_unique<QApplication>(count, values);
    });
}
