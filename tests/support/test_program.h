#pragma once

#include <QCoreApplication>
#include <QObject>
#include <QTest>

#include <memory>

namespace helio::test {

/// A registered test. The tests of a folder are one program, so that building them links once. `core_store_tests` runs all tests, each in a
/// process of its own; `core_store_tests tst_spans [OPTION OF QTEST...]` runs one.
class TestEntry {
public:
    using Make = std::unique_ptr<QObject> (*)();

    /// Call it before main(). `file` ends in the name of the test; `file` and `make` must outlive the program's tests.
    TestEntry(const char* file, Make make);
};

using MakeApplication = std::unique_ptr<QCoreApplication> (*)(int& argc, char** argv);

/// Body of main(): runs the test that the first argument names, in an application that is called like the test.
int runTestProgram(int argc, char** argv, MakeApplication makeApplication);

/// Adds a row to the data of a test: a value for each column, in the order of the columns.
template <typename... Values> void addRow(const char* name, const Values&... values) { (QTest::newRow(name) << ... << values); }

} // namespace helio::test

/// Adds a test class to its folder's test program. Belongs at the end of each tst_*.cpp.
#define HELIO_TEST(Class)                                                                                                                  \
    static const ::helio::test::TestEntry testEntryOf##Class(__FILE__,                                                                     \
                                                             []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });
