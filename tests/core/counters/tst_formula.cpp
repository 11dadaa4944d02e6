#include "core/counters/formula.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

/// Returns the value of a formula. The names in the formula have the values 12, 5, 7 and 3, in the order of their first use; further names
/// are 0. Returns the error message if the formula is invalid.
QString value(const char* text)
{
    const auto formula = CounterFormula::parse(text);
    if (!formula)
        return QString::fromStdString(formula.error().what);
    std::vector<double> numbers{12, 5, 7, 3};
    numbers.resize(formula->names().size());
    const auto value = formula->value(numbers);
    return value ? QString::number(*value) : "none";
}

QString names(const char* text)
{
    QStringList all;
    const auto formula = CounterFormula::parse(text);
    if (formula)
        for (const std::string& it : formula->names())
            all << QString::fromStdString(it);
    return all.join('|');
}

} // namespace

class FormulaTest : public QObject {
    Q_OBJECT

private slots:
    void operatorsBindAsUsual()
    {
        QCOMPARE(value("a"), "12");
        QCOMPARE(value("a / b"), "2.4");
        QCOMPARE(value("a/b/c"), QString::number(12.0 / 5 / 7));
        QCOMPARE(value("a - b - c"), "0");
        QCOMPARE(value("a - (b - c)"), "14");
        QCOMPARE(value("a + b * c"), "47");
        QCOMPARE(value("(a + b) * c"), "119");
        QCOMPARE(value("-a + -b*-c"), "23");
        QCOMPARE(value("2.5e1*a*a"), "3600");
        QCOMPARE(value("  1000 * a /b "), "2400");
    }

    void aNameIsAskedForOnce() { QCOMPARE(names("b / (a + b) + a"), "b|a"); }

    void namesAreAsTracersSpellThem()
    {
        QCOMPARE(names("L1-dcache-load-misses / page_faults"), "L1-dcache-load-misses|page_faults");
        QCOMPARE(names("cycles:u - cycles:k"), "cycles:u|cycles:k");
        QCOMPARE(names("\"cpu/event=0x3c/\" / \"with blanks\""), "cpu/event=0x3c/|with blanks");
        QCOMPARE(names("a -b"), "a|b");
        QCOMPARE(names("sched.delay*größe"), "sched.delay|größe");
    }

    void whatIsDividedByNothingHasNoValue()
    {
        QCOMPARE(value("a / 0"), "none");
        QCOMPARE(value("0 * a / (b - b)"), "none");
    }

    void whatIsWrongIsSaidWithItsColumn()
    {
        QCOMPARE(value(""), "column 1: expected a value");
        QCOMPARE(value("a /"), "column 4: expected a value");
        QCOMPARE(value("a b"), "column 3: expected an operator");
        QCOMPARE(value("(a"), "column 3: missing )");
        QCOMPARE(value("a)"), "column 2: expected an operator");
        QCOMPARE(value("größe %"), "column 7: expected an operator");
        QCOMPARE(value("\"a"), "column 1: missing closing \"");
        QCOMPARE(value("\"\""), "column 1: empty name");
        QCOMPARE(value("1e999 * a"), "column 1: not a number");
        QCOMPARE(value("3 + 4"), "the formula names no counter");
        QVERIFY(value(QByteArray(100'000, '(')).contains("nested too deeply"));
        QVERIFY(value(QByteArray(100'000, '-')).contains("nested too deeply"));
        QVERIFY(value("a" + QByteArray("+a").repeated(100'000)).contains("too long"));
    }

    void modifiersMayBeLeftOutAndDashesBeUnderscores()
    {
        QVERIFY(isNamed("cycles", "cycles") && isNamed("cycles:u", "cycles") && isNamed("cpu-clock:ppp", "cpu_clock"));
        QVERIFY(!isNamed("cycles", "cycles:u") && !isNamed("sched:sched_switch", "sched") && !isNamed("cycle", "cycles"));
    }
};

HELIO_TEST(FormulaTest)
#include "tst_formula.moc"
