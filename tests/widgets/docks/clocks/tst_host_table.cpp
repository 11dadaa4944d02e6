// The table of hosts in the Clocks dock.

#include "tests/support/made_hosts.h"
#include "tests/support/test_program.h"
#include "widgets/docks/clocks/host_table.h"
#include "widgets/theme/themes.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTest>

using namespace helio;

namespace {

struct Shown {
    explicit Shown(const HostStyles& looks = {})
        : timeline(withHostStyles(MadeHosts::make(), looks))
    {
        table.resize(620, 200);
        table.setClocks(timeline, hostClocks(*timeline));
        table.show();
    }
    /// Colour of the host's badge at a point left of its letter.
    QColor badgeOf(int host)
    {
        const QRect line = table.visualRect(table.model()->index(host, HostModel::Host));
        return table.viewport()->grab().toImage().pixelColor(line.left() + 9 + 2, line.center().y() + 1);
    }
    QString nameOf(int host) { return table.model()->index(host, HostModel::Host).data().toString(); }

    std::shared_ptr<const Timeline> timeline;
    HostTable table;
};

} // namespace

class HostTableTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { Themes::instance().setTheme(Theme::Kind::Light); }

    void badgesAreThoseOfPanels()
    {
        Shown it;
        const auto headings = hostHeadings(*it.timeline);
        for (int host = 0; host < 4; ++host)
            QCOMPARE(it.badgeOf(host), theme().category(headings[std::size_t(host)].color));
        QVERIFY(it.badgeOf(0) != theme().category(0)); // The default colour does not depend on the host's index.
    }

    /// Property: columns that do not fit can be reached by scrolling.
    void everyColumnIsWithinReach()
    {
        for (const int width : {300, 620}) {
            Shown it;
            it.table.resize(width, 200);
            QHeaderView* header = it.table.header();
            for (int column = 0; column < HostModel::Columns; ++column)
                QVERIFY(!header->isSectionHidden(column));
            QTRY_COMPARE(it.table.horizontalScrollBar()->maximum() > 0, width == 300);
            QVERIFY(header->length() - it.table.viewport()->width() <= it.table.horizontalScrollBar()->maximum());
        }
    }

    void messagesAndErrorsAreNamed()
    {
        Shown it;
        const auto cell = [&](int host, int column) { return it.table.model()->index(host, column).data().toString(); };
        QCOMPARE(it.table.model()->headerData(HostModel::Messages, Qt::Horizontal, Qt::DisplayRole).toString(), QString("Messages"));
        QVERIFY(cell(MadeHosts::Db, HostModel::Error).startsWith(QChar(0xb1)));
        Timeline byHand = *it.timeline;
        TimelineHost& db = byHand.hosts[MadeHosts::Db];
        db.method = ClockMethod::Manual;
        db.path.hosts = {MadeHosts::Web};
        db.path.fit.error = db.path.fit.lineError = db.path.fit.minError = Duration::max();
        db.clock = *ClockTransform::through({{hostTime(0), timestamp(7), Duration::max()}});
        it.table.setClocks(std::make_shared<Timeline>(byHand), hostClocks(byHand));
        QCOMPARE(cell(MadeHosts::Db, HostModel::Error), QString(QChar(0xb1)) + " ?");
        QCOMPARE(cell(MadeHosts::Db, HostModel::Method), QString("by hand"));
    }

    void aColourAndANameThatAPersonChoseAreShown()
    {
        HostStyles looks;
        looks.hosts["db"] = {"Datenbank", 13};
        Shown it(looks);
        QCOMPARE(it.badgeOf(MadeHosts::Db), theme().category(13));
        QCOMPARE(it.nameOf(MadeHosts::Db), QString("Datenbank"));
        it.table.choose(MadeHosts::Db);
        looks.hosts["db"].color = 6;
        const auto changed = withHostStyles(it.timeline, looks);
        it.table.setClocks(changed, hostClocks(*changed));
        QCOMPARE(it.badgeOf(MadeHosts::Db), theme().category(6));
        QCOMPARE(it.table.host(), int(MadeHosts::Db));
    }
};

HELIO_TEST(HostTableTest)
#include "tst_host_table.moc"
