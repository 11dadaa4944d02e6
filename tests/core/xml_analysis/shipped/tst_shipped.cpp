// Properties that all shipped analyses have in common.

#include "tests/core/xml_analysis/shipped/shipped_run.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

class ShippedTest : public QObject {
    Q_OBJECT

private slots:
    void theyAreThose()
    {
        QStringList names;
        for (const EmbeddedFile& file : xml::builtinFiles())
            names << QString::fromUtf8(file.name);
        names.sort();
        QCOMPARE(names.join(' '),
                 "block-requests.xml cpu-frequency.xml futex-contention.xml irq-time.xml mpi-states.xml "
                 "server-requests.xml timer-wakeups.xml");
    }

    void eachIsCalledAsItsFileAndIsWithoutAFlaw_data()
    {
        QTest::addColumn<QString>("id");
        for (const EmbeddedFile& file : xml::builtinFiles())
            QTest::newRow(std::string(file.name).c_str()) << QString::fromUtf8(file.name).chopped(4);
    }
    void eachIsCalledAsItsFileAndIsWithoutAFlaw()
    {
        QFETCH(QString, id);
        const std::string_view text = shippedText(id.toStdString());
        const xml::File file = xml::readFile(text);
        for (const xml::Problem& problem : file.problems)
            QFAIL(xml::textOf(problem, id.toStdString()).c_str());
        const auto kind = kindOf(text);
        QVERIFY(kind);
        QCOMPARE(QString::fromUtf8(kind->id()), id);
        QVERIFY(kind->views().size() >= 2);
        for (const TrackView& view : kind->views()) {
            QVERIFY2(QString::fromUtf8(view.id).startsWith(id), std::string(view.id).c_str());
            QVERIFY(!view.title.empty());
        }
        QVERIFY(text.find("<!--") < text.find("<tmfxml")); // Each file begins with a comment about its purpose.
    }

    void aTraceOfAnotherTypeHasNoneOfThem()
    {
        KernelScript s;
        s.event(10, 0, "mpi:compute_begin", {{"rank", 0}, {"iter", 0}}).irq(20, 0, "entry", 1).irq(30, 0, "exit", 1);
        for (const EmbeddedFile& file : xml::builtinFiles())
            QVERIFY2(!kindOf(file.text)->appliesTo(s), std::string(file.name).c_str());
    }
};

HELIO_TEST(ShippedTest)

#include "tst_shipped.moc"
