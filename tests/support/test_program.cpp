#include "tests/support/test_program.h"

#include <QTest>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace helio::test {
namespace {

struct Test {
    const char* file;
    TestEntry::Make make;
};

std::map<std::string, Test>& tests()
{
    static std::map<std::string, Test> all;
    return all;
}

int runAlone(const std::string& name)
{
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl("/proc/self/exe", "tests", name.c_str(), nullptr);
        ::_exit(127);
    }
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int runAll()
{
    int failed = 0;
    for (const auto& [name, test] : tests())
        failed += runAlone(name) != 0;
    return failed;
}

int runOne(const Test& test, int argc, char** argv, MakeApplication makeApplication)
{
    const auto application = makeApplication(argc, argv);
    application->setAttribute(Qt::AA_Use96Dpi);
    QTest::setMainSourcePath(test.file);
    const auto object = test.make();
    return QTest::qExec(object.get(), argc, argv);
}

} // namespace

TestEntry::TestEntry(const char* file, Make make) { tests()[std::filesystem::path(file).stem().string()] = {file, make}; }

int runTestProgram(int argc, char** argv, MakeApplication makeApplication)
{
    if (argc < 2)
        return runAll();
    const auto found = tests().find(argv[1]);
    if (found != tests().end())
        return runOne(found->second, argc - 1, argv + 1, makeApplication);
    std::fprintf(stderr, "There is no test \"%s\" in this program. There are:\n", argv[1]);
    for (const auto& [name, test] : tests())
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 1;
}

} // namespace helio::test
