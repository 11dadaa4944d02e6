#pragma once

#include <QCoreApplication>
#include <QObject>
#include <QTest>

#include <memory>

namespace helio::test {

/// Registration of a test. All tests of a folder are linked into one program, which keeps builds fast. `core_store_tests` runs all tests,
/// each in its own process; `core_store_tests tst_spans [OPTION OF QTEST...]` runs one.
class TestEntry {
public:
    using Make = std::unique_ptr<QObject> (*)();

    /// Registers the test; call it before main(). `file` ends in the name of the test; `file` and `make` must outlive the program's
    /// tests.
    TestEntry(const char* file, Make make);
};

using MakeApplication = std::unique_ptr<QCoreApplication> (*)(int& argc, char** argv);

/// Body of main(): runs the test that the first argument names. The application has the test's name.
int runTestProgram(int argc, char** argv, MakeApplication makeApplication);

/// Adds a row to a data-driven test: `values` in the order of the columns.
template <typename... Values> void addRow(const char* name, const Values&... values) { (QTest::newRow(name) << ... << values); }

} // namespace helio::test

/// Adds a test class to its folder's test program; use it at the end of each tst_*.cpp.
#define HELIO_TEST(Class)                                                                                                                  \
    static const ::helio::test::TestEntry testEntryOf##Class(__FILE__,                                                                     \
                                                             []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });
