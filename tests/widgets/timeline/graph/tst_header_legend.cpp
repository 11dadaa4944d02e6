#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/panel_header.h"
#include "widgets/workspace/view_context.h"

#include <QTest>

using namespace helio;

class HeaderLegendTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: without enough space, the last entries of the legend are hidden; the first ones are the states that cover the largest
    /// part of the picture.
    void theLastColoursGiveWay()
    {
        ViewContext context;
        TimeAxis axis(context.time(), context.bookmarks(), context.hits());
        PanelHeader header(axis, "Control flow");
        const QStringList all{"user", "system call", "page fault", "interrupted", "runnable", "preempted", "blocked", "sleeping"};
        std::vector<LegendChip> chips;
        for (const QString& text : all)
            chips.push_back({{}, text});
        header.setLegend(chips);
        header.resize(2000, PanelHeader::Height);
        header.show();
        QCOMPARE(header.legendInView(), all);
        qsizetype before = all.size();
        for (int width = 1900; width > axis.labelWidth(); width -= 50) {
            header.resize(width, PanelHeader::Height);
            const QStringList shown = header.legendInView();
            QCOMPARE(shown, all.first(shown.size()));
            QVERIFY(shown.size() <= before);
            before = shown.size();
        }
        QVERIFY(before < 2);
    }

    /// Property: the remark is never cut. If it does not fit beside the count, it is placed right of the labels, and legend entries are
    /// hidden.
    void aRemarkIsReadInFull()
    {
        ViewContext context;
        TimeAxis axis(context.time(), context.bookmarks(), context.hits());
        PanelHeader header(axis, "Control flow");
        header.setColumns({{"CPU %", 12, 1}, {"TID", 86, 2}});
        header.setLegend({{{}, "user"}, {{}, "system call"}});
        header.resize(axis.labelWidth() + 400, PanelHeader::Height);
        header.show();
        header.setSubtitle("50 of 302");
        header.setSubtitleSwitch("hides", true);
        const QString count = header.shownSubtitle();
        // Either form is right: the width of the font determines whether the short form is used.
        QVERIFY2(count == "50 of 302" || count == "50/302", qPrintable(count));
        QVERIFY(header.remarkRect().isEmpty());
        header.setRemark("excluding steal time");
        QVERIFY(!header.shownSubtitle().contains("steal"));
        const QRect remark = header.remarkRect();
        QVERIFY(remark.left() >= axis.labelWidth());
        QVERIFY(remark.width() >= QFontMetricsF(fonts().small()).horizontalAdvance("excluding steal time"));
        QCOMPARE(header.legendInView(), QStringList({"user", "system call"}));
        header.resize(axis.labelWidth() + 250, PanelHeader::Height);
        QVERIFY(header.legendInView().size() < 2);

        PanelHeader shorter(axis, "Resources");
        shorter.setColumns({{"busy", 12, 1}});
        shorter.setSubtitle("4 CPUs");
        shorter.setRemark("no idle rows");
        QCOMPARE(shorter.shownSubtitle(), QString("4 CPUs, no idle rows"));
        QVERIFY(shorter.remarkRect().isEmpty());
        shorter.setRemark({});
        QCOMPARE(shorter.shownSubtitle(), QString("4 CPUs"));
    }
};

HELIO_TEST(HeaderLegendTest)
#include "tst_header_legend.moc"
