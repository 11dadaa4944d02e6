// Properties of Ctrl+G: a typed time range is selected and shown, and the message about an invalid text names the column of the error in
// the typed text.

#include "tests/app/exports/open_window.h"
#include "tests/support/test_program.h"
#include "widgets/controls/omnibox.h"

#include <algorithm>

using namespace helio;

namespace {

/// Returns the item for the typed time; nullptr if there is none.
const PaletteItem* timeItem(Omnibox& omnibox)
{
    for (int line = 0; line < omnibox.model().rowCount(); ++line)
        if (omnibox.model().item(line)->kind == PaletteItem::Kind::Time)
            return omnibox.model().item(line);
    return nullptr;
}

} // namespace

class GoToTimeTest : public QObject {
    Q_OBJECT

private slots:
    void aTypedRangeIsSelectedAndShown()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        Omnibox& omnibox = *it.window.findChild<Omnibox*>();
        TimeWindow& time = it.window.context().time();
        it.trigger("go.time");
        QCOMPARE(omnibox.text(), QString(":"));
        QTest::keyClicks(&omnibox, "+2.0 .. +4ms");
        QTest::keyClick(&omnibox, Qt::Key_Return);
        const Timestamp begin = time.full().begin;
        const TimeRange range{begin + Duration(2'000'000), begin + Duration(4'000'000)};
        QCOMPARE(time.selection(), range);
        QCOMPARE(time.cursor(), range.begin);
        QCOMPARE(time.visible(), (TimeRange{range.begin - Duration(100'000), range.end + Duration(100'000)}));
        it.trigger("go.back");
        QCOMPARE(time.visible(), time.full());
        QVERIFY(time.selection().isEmpty());

        omnibox.open(":+2ms .. +9h"); // The trace ends within the typed range.
        QVERIFY(timeItem(omnibox));
        const QString offered = timeItem(omnibox)->text;
        omnibox.open(QString(":%1 .. %2").arg(nanoseconds(range.begin)).arg(nanoseconds(time.full().end)));
        QVERIFY(timeItem(omnibox));
        QCOMPARE(offered, timeItem(omnibox)->text); // The part in the trace is offered.
        omnibox.open(":+2ms .. +9h");
        QTest::keyClick(&omnibox, Qt::Key_Return);
        QCOMPARE(time.selection(), (TimeRange{range.begin, time.full().end}));
        QVERIFY(it.isSaid("Part of the range is outside the experiment"));
    }

    /// Property: a time or range that is not in the trace is refused, and the text says which times are. A plain number outside of the
    /// trace is only taken for a time after ":".
    void timesOutsideTheTraceAreRefused()
    {
        OpenWindow it;
        QVERIFY(it.isReady);
        Omnibox& omnibox = *it.window.findChild<Omnibox*>();
        TimeWindow& time = it.window.context().time();
        const TimeRange visible = time.visible();
        for (const char* text : {":+8h .. +9h", "+8h .. +9h", ":+9h", "+9h", ":17", ":17 .. 19"}) {
            omnibox.open(text);
            const PaletteItem* item = timeItem(omnibox);
            QVERIFY2(item, text);
            QVERIFY2(item->text.contains(" is outside of the trace, which has times from "), qPrintable(item->text));
            QVERIFY(!item->isEnabled);
            QTest::keyClick(&omnibox, Qt::Key_Return);
            QCOMPARE(time.visible(), visible);
            QVERIFY(time.selection().isEmpty());
        }
        omnibox.open("17");
        QVERIFY(!timeItem(omnibox));
    }

    void errorsNameTheColumn_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        const QString units = "ns, us, ms, s, min or h";
        test::addRow("unit", QString(":+2.0x"), "Column 6: \"x\" is not a unit: " + units);
        test::addRow("unit after thin spaces", QString(":+1\u2009500 y"), "Column 9: \"y\" is not a unit: " + units);
        test::addRow("end", QString(":+2.0s .. "), QString("Column 11: a time is missing"));
        test::addRow("empty range", QString(":+2s .. +1s"), QString("The range is empty: its end is not after its begin"));
        test::addRow("nothing", QString(":"),
                     QString("12:34:56.789012345, +1.5s from the start, ns since the epoch, or a range: +2s .. +2.5s"));
    }
    void errorsNameTheColumn()
    {
        QFETCH(QString, text);
        QFETCH(QString, words);
        OpenWindow it;
        QVERIFY(it.isReady);
        Omnibox& omnibox = *it.window.findChild<Omnibox*>();
        const TimeRange visible = it.window.context().time().visible();
        omnibox.open(text);
        const PaletteItem* item = timeItem(omnibox);
        QVERIFY(item);
        QCOMPARE(item->text, words);
        QVERIFY(!item->isEnabled);
        QTest::keyClick(&omnibox, Qt::Key_Return);
        QCOMPARE(it.window.context().time().visible(), visible);
    }
};

HELIO_TEST(GoToTimeTest)
#include "tst_go_to_time.moc"
