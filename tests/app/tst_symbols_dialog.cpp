#include "app/gui/common/symbols_dialog.h"
#include "tests/support/test_program.h"

#include <QCheckBox>
#include <QStandardPaths>
#include <QTest>

using namespace helio;

class SymbolsDialogTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("heliograph-symbols-test");
    }
    void cleanup() { saveSymbols({}); }

    void whatIsChosenIsKept()
    {
        SymbolOptions symbols;
        symbols.directories = {"/a/b", "/c d"};
        symbols.sysroot = "/root of it";
        symbols.kallsyms = "/k.txt";
        symbols.guestKallsyms = "/guest.txt";
        saveSymbols(symbols);

        const SymbolsDialog dialog(savedSymbols());

        QCOMPARE(dialog.symbols().directories, symbols.directories);
        QCOMPARE(dialog.symbols().sysroot, symbols.sysroot);
        QCOMPARE(dialog.symbols().kallsyms, symbols.kallsyms);
        QCOMPARE(dialog.symbols().guestKallsyms, symbols.guestKallsyms);
    }

    void whatIsGivenComesFirst()
    {
        SymbolOptions saved;
        saved.directories = {"/saved"};
        saved.kallsyms = "/saved.txt";
        saved.sysroot = "/saved-root";
        saveSymbols(saved);
        ExperimentOptions given;
        given.symbols.directories = {"/given"};
        given.symbols.kallsyms = "/given.txt";

        const SymbolOptions both = withSavedSymbols(given).symbols;

        QCOMPARE(both.directories, (std::vector<std::filesystem::path>{"/given", "/saved"}));
        QCOMPARE(both.kallsyms, std::filesystem::path("/given.txt"));
        QCOMPARE(both.sysroot, std::filesystem::path("/saved-root"));
    }

    void serversAreAskedOnlyWhereTheyAreSetAndAgreedTo()
    {
        SymbolOptions saved;
        saved.usesDebuginfod = true;
        saveSymbols(saved);
        qunsetenv("DEBUGINFOD_URLS");
        QVERIFY(!withSavedSymbols({}).symbols.usesDebuginfod);
        QVERIFY(!SymbolsDialog(savedSymbols()).findChild<QCheckBox*>()->isEnabled());
        qputenv("DEBUGINFOD_URLS", "http://localhost:1");
        QVERIFY(withSavedSymbols({}).symbols.usesDebuginfod);
        saveSymbols({});
        QVERIFY(!withSavedSymbols({}).symbols.usesDebuginfod);
        qunsetenv("DEBUGINFOD_URLS");
    }
};

HELIO_TEST(SymbolsDialogTest)
#include "tst_symbols_dialog.moc"
