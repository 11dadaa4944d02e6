#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"
#include "widgets/timegraph/panel_header.h"
#include "widgets/view/view_context.h"

#include <QTest>

using namespace helio;

class HeaderLegendTest : public QObject {
    Q_OBJECT

private slots:
    /// What comes first is what most of a picture consists of.
    void theLastColoursGiveWay()
    {
        ViewContext context;
        TimeAxis axis(context.time(), context.bookmarks(), context.hits());
        PanelHeader header(axis, "Control flow");
        const QStringList all{"user", "system call", "page fault", "interrupted", "waits for CPU", "preempted", "blocked", "sleeping"};
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
};

HELIO_TEST(HeaderLegendTest)
#include "tst_header_legend.moc"
