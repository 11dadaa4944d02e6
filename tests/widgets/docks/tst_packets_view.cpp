// Tests the Packets dock: its list of connections, the marks of a connection's packets, and how the user steps from packet to packet.
// Input: traces of two hosts.

#include "core/experiment/experiment.h"
#include "core/network/connection_packets.h"
#include "tests/support/test_program.h"
#include "widgets/docks/details/details_view.h"
#include "widgets/docks/packets/packets_view.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace helio;

namespace {

std::filesystem::path fixture(const char* name) { return std::filesystem::path(SOURCE_DIR "/tests/fixtures") / name; }

} // namespace

class PacketsViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        ExperimentOptions options;
        options.storeDirectory = m_stores.path().toStdString();
        auto opened = Experiment::open({fixture("two-hosts-small/web"), fixture("two-hosts-small/db")}, options);
        QVERIFY(opened);
        m_experiment = std::move(*opened);
        m_experiment->start();
        QVERIFY(m_experiment->wait());
        m_timeline = m_experiment->timeline();
    }

    void init()
    {
        m_context = std::make_unique<ViewContext>();
        m_view = std::make_unique<PacketsView>(*m_context);
        m_view->resize(1200, 260);
        m_view->show();
        m_context->time().setFull(m_timeline->range);
        m_context->setTimeline(m_timeline);
        m_table = m_view->findChild<QTreeView*>("connections");
        QTRY_COMPARE(m_table->model()->rowCount(), int(all().size()));
    }

    void listsWhatTheCommandLists()
    {
        QVERIFY(all().size() > 4);
        for (int row = 0; row < m_table->model()->rowCount(); ++row) {
            const ConnectionFacts& it = all()[std::size_t(row)];
            const auto text = [&](int column) { return m_table->model()->index(row, column).data().toString(); };
            QVERIFY(text(int(ConnectionColumn::Name)).contains(QString::fromStdString(it.from.address)));
            QVERIFY(text(int(ConnectionColumn::Packets)).startsWith(QString::number(it.from.counts.packets) + ' '));
            QCOMPARE(text(int(ConnectionColumn::Closed)), QString::fromUtf8(wordOf(it.ending).data()));
        }
    }

    void aRangeHasItsOwn()
    {
        const TimeRange range{m_timeline->range.begin, m_timeline->range.begin + std::chrono::milliseconds(60)};
        const auto own = collectConnections(*m_timeline, range);
        QVERIFY(!own.empty() && own.size() < all().size());
        m_context->time().setSelection(range);
        QTRY_COMPARE(m_table->model()->rowCount(), int(own.size()));
        m_context->time().setSelection({});
        QTRY_COMPARE(m_table->model()->rowCount(), int(all().size()));
    }

    void filterLeavesWhatHoldsIt()
    {
        const QString address = QString::fromStdString(all().back().from.address);
        m_view->findChild<QLineEdit*>()->setText(address);
        QCOMPARE(m_table->model()->rowCount(), 1);
        m_view->findChild<QLineEdit*>()->setText("no such thing");
        QCOMPARE(m_table->model()->rowCount(), 0);
        m_view->findChild<QLineEdit*>()->clear();
        QCOMPARE(m_table->model()->rowCount(), int(all().size()));
    }

    void hostsAreShownAsInPanels()
    {
        HostStyles looks;
        for (const TimelineHost& host : m_timeline->hosts)
            looks.hosts[host.id] = {"of " + host.label, host.label == "db" ? 13 : 6};
        m_context->clocks().setLooks(looks, "names");
        const auto hosts = [&](int row) { return m_table->model()->index(row, int(ConnectionColumn::Hosts)); };
        QTRY_VERIFY(hosts(0).data().toString().contains("of db"));
        for (int row = 0; row < m_table->model()->rowCount(); ++row) {
            const ConnectionEnd& end = all()[std::size_t(row)].from;
            if (end.host == ConnectionEnd::NoHost)
                continue;
            const QString label = QString::fromStdString(m_timeline->hosts[end.host].label);
            QVERIFY(hosts(row).data().toString().startsWith("of " + label));
            const QRect cell = m_table->visualRect(hosts(row));
            if (!m_table->viewport()->rect().contains(cell))
                continue;
            const QColor ground = m_table->viewport()->grab().toImage().pixelColor(cell.left() + 11 + 2, cell.center().y());
            QCOMPARE(ground, theme().category(label == "db" ? 13 : 6));
        }
    }

    void titlesSort()
    {
        const auto packets = [&](int row) {
            const auto& model = static_cast<const ConnectionModel&>(*m_table->model());
            return model.connection(row).from.counts.packets + model.connection(row).to.counts.packets;
        };
        m_table->sortByColumn(int(ConnectionColumn::Packets), Qt::DescendingOrder);
        for (int row = 1; row < m_table->model()->rowCount(); ++row)
            QVERIFY(packets(row - 1) >= packets(row));
        m_table->sortByColumn(int(ConnectionColumn::Packets), Qt::AscendingOrder);
        for (int row = 1; row < m_table->model()->rowCount(); ++row)
            QVERIFY(packets(row - 1) <= packets(row));
    }

    void theChosenOnesPacketsAreMarkedAndGoneTo()
    {
        const int row = largest();
        const auto packets = packetsOf(*m_timeline, all()[std::size_t(row)]);
        QVERIFY(packets.size() > 5);
        m_table->setCurrentIndex(m_table->model()->index(row, 0));
        QTRY_VERIFY(m_context->moments());
        QCOMPARE(m_context->moments()->size(), packets.size());
        m_context->time().setCursor(m_timeline->range.begin);
        for (std::size_t i = 0; i < packets.size(); ++i) {
            QTest::keyClick(m_table, Qt::Key_N);
            QCOMPARE(m_context->time().cursor(), packets[i].at());
            if (packets[i].row().isValid())
                QVERIFY(m_context->time().row() == packets[i].row());
        }
        QTest::keyClick(m_table, Qt::Key_N); // The key N has no effect, because this is the last packet.
        QCOMPARE(m_context->time().cursor(), packets.back().at());
        QTest::keyClick(m_table, Qt::Key_P);
        QCOMPARE(m_context->time().cursor(), packets[packets.size() - 2].at());
    }

    /// Property: when the user goes to a packet, Details and the panels show the packet's arrow as selected, even if there are very many
    /// arrows.
    void thePacketThatIsGoneToIsTheChosenArrow()
    {
        const int row = largest();
        const auto packets = packetsOf(*m_timeline, all()[std::size_t(row)]);
        const auto whole = std::ranges::find_if(packets, [](const ConnectionPacket& it) { return it.message && it.sent && it.received; });
        QVERIFY(whole != packets.end());
        m_table->setCurrentIndex(m_table->model()->index(row, 0));
        QTRY_VERIFY(m_context->moments());
        m_context->time().setCursor(*whole->sent - Duration(1));
        QTest::keyClick(m_table, Qt::Key_N);
        const auto link = m_context->link();
        QVERIFY(link);
        QCOMPARE(link->fromTime, *whole->sent);
        QCOMPARE(link->toTime, *whole->received);
        m_context->time().setCursor(m_timeline->range.begin);
        QVERIFY(!m_context->link());
    }

    /// Property: marks follow changed clocks even while the dock is hidden.
    void theMarksFollowTheClocksAlsoUnseen()
    {
        m_table->setCurrentIndex(m_table->model()->index(largest(), 0));
        QTRY_VERIFY(m_context->moments());
        const auto before = m_context->moments();
        m_view->hide();
        auto moved = std::make_shared<Timeline>(*m_timeline);
        for (TimelineTrace& trace : moved->traces)
            trace.clock = trace.clock.shiftedBy(Duration(7'000'000));
        m_context->setTimeline(moved);
        QTRY_VERIFY(m_context->moments() != before);
        QCOMPARE(m_context->moments()->size(), before->size());
        for (std::size_t i = 0; i < before->size(); ++i)
            QCOMPARE((*m_context->moments())[i], (*before)[i] + Duration(7'000'000));
        auto empty = std::make_shared<Timeline>(*m_timeline);
        empty->relations.clear();
        m_context->setTimeline(empty);
        QTRY_VERIFY(!m_context->moments());
    }

    void hostsAreFoundByWhatTheyAreCalled()
    {
        HostStyles looks;
        looks.hosts[m_timeline->hosts[1].id].name = "storage";
        m_context->clocks().setLooks(looks, "names");
        const auto isOfStorage = [](const ConnectionFacts& it) { return it.from.host == 1 || it.to.host == 1; };
        const auto expected = int(std::ranges::count_if(all(), isOfStorage));
        QVERIFY(expected > 0);
        m_view->findChild<QLineEdit*>()->setText("storage");
        QTRY_COMPARE(m_table->model()->rowCount(), expected);
        m_view->findChild<QLineEdit*>()->clear();
    }

    void bothEndsAreReached()
    {
        const int row = largest();
        const auto packets = packetsOf(*m_timeline, all()[std::size_t(row)]);
        const auto whole = std::ranges::find_if(packets, [](const ConnectionPacket& it) { return it.sent && it.received; });
        QVERIFY(whole != packets.end());
        m_table->setCurrentIndex(m_table->model()->index(row, 0));
        QTRY_VERIFY(m_context->moments());
        m_context->time().setCursor(*whole->sent - Duration(1));
        QTest::keyClick(m_table, Qt::Key_N);
        QCOMPARE(m_context->time().cursor(), *whole->sent);
        QTest::keyClick(m_table, Qt::Key_O);
        QCOMPARE(m_context->time().cursor(), *whole->received);
        QTest::keyClick(m_table, Qt::Key_O);
        QCOMPARE(m_context->time().cursor(), *whole->sent);
    }

    void theChosenOnesPacketsAreListed()
    {
        const int row = largest();
        const auto packets = packetsOf(*m_timeline, all()[std::size_t(row)]);
        auto* list = m_view->findChild<PacketTable*>();
        QVERIFY(!list->isVisible());
        m_table->setCurrentIndex(m_table->model()->index(row, 0));
        QTRY_COMPARE(list->model()->rowCount(), int(packets.size()));
        QVERIFY(list->isVisible());
        for (int i = 0; i < int(packets.size()); ++i) {
            const ConnectionPacket& it = packets[std::size_t(i)];
            const auto text = [&](int column) { return list->model()->index(i, column).data().toString(); };
            QCOMPARE(text(PacketModel::Sent), it.sent ? timeText(*it.sent, m_context->timeFormat()) : QString(QChar(0x2013)));
            QCOMPARE(text(PacketModel::Received), it.received ? timeText(*it.received, m_context->timeFormat()) : QString(QChar(0x2013)));
            QCOMPARE(text(PacketModel::Sequence), QString::number(it.sequence));
            QVERIFY(text(PacketModel::Fate).startsWith(QString::fromUtf8(wordOf(it.fate).data())));
            QCOMPARE(text(PacketModel::Way), it.isReverse ? QString("db \u2192 web") : QString("web \u2192 db"));
            if (it.latency())
                QVERIFY(text(PacketModel::Latency).startsWith(durationText(*it.latency()) + " \u00b1"));
        }
        const auto place = std::size_t(packets.size() / 2);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
        QCOMPARE(m_context->time().cursor(), packets[0].at());
        list->setCurrentIndex(list->model()->index(int(place), 0));
        QCOMPARE(m_context->time().cursor(), packets[place].at());
        QVERIFY(m_context->connection() && m_context->connection()->packet);
        QCOMPARE(m_context->connection()->packet->text, packets[place].text);
        QTest::keyClick(list, Qt::Key_N);
        QCOMPARE(list->currentIndex().row(), int(place) + 1);
    }

    void theChosenOneStaysWhenTheListChanges()
    {
        const int row = largest();
        const QString name = m_table->model()->index(row, 0).data().toString();
        m_table->setCurrentIndex(m_table->model()->index(row, 0));
        QTRY_VERIFY(m_context->moments());
        const auto chosen = [&] { return m_table->currentIndex().siblingAtColumn(0).data().toString(); };
        m_table->sortByColumn(int(ConnectionColumn::Packets), Qt::DescendingOrder);
        QTRY_COMPARE(chosen(), name);
        m_view->findChild<QLineEdit*>()->setText(name.section(':', 1, 1).section(' ', 0, 0)); // Filters by the connection's port.
        QTRY_COMPARE(chosen(), name);
        m_view->findChild<QLineEdit*>()->setText("no such thing");
        m_view->findChild<QLineEdit*>()->clear();
        QTRY_COMPARE(chosen(), name);
        HostStyles looks;
        looks.hosts[m_timeline->hosts[1].id].name = "storage";
        m_context->clocks().setLooks(looks, "names");
        QTRY_VERIFY(m_table->currentIndex().siblingAtColumn(int(ConnectionColumn::Hosts)).data().toString().contains("storage"));
        QTRY_COMPARE(chosen(), name);
    }

    void detailsShowTheChosenOne()
    {
        DetailsView details(*m_context);
        details.resize(360, 900);
        details.show();
        const auto shows = [&](const QString& text) {
            return std::ranges::any_of(details.findChildren<QLabel*>(),
                                       [&](const QLabel* label) { return label->isVisible() && label->text().contains(text); });
        };
        QVERIFY(shows("Nothing selected"));
        const int row = largest();
        const ConnectionFacts& facts = all()[std::size_t(row)];
        m_table->setCurrentIndex(m_table->model()->index(row, 0));
        QTRY_VERIFY(shows(QString::fromStdString(nameOf(*m_timeline, facts))));
        QVERIFY(!shows("Nothing selected"));
        QVERIFY(shows(durationText(*facts.handshake())));
        QVERIFY(shows(durationText(*facts.from.median) + QStringLiteral(" \u00b1")));
        m_context->time().setCursor(m_timeline->range.begin + Duration(5));
        QVERIFY(!shows(QString::fromStdString(nameOf(*m_timeline, facts))));
    }

    /// Property: the filter finds a host by the user's name for it, and by its name in the traces.
    void hostsAreFoundByBothOfTheirNames()
    {
        HostStyles looks;
        looks.hosts[m_timeline->hosts[1].id].name = "storage";
        m_context->clocks().setLooks(looks, "names");
        QTRY_VERIFY(m_table->model()->index(0, int(ConnectionColumn::Hosts)).data().toString().contains("storage"));
        m_view->findChild<QLineEdit*>()->setText("DB");
        const auto isOfDb = [](const ConnectionFacts& it) { return it.from.host == 1 || it.to.host == 1; };
        QCOMPARE(m_table->model()->rowCount(), int(std::ranges::count_if(all(), isOfDb)));
        m_view->findChild<QLineEdit*>()->clear();
    }

    /// Property: columns that do not fit can be reached by scrolling.
    void everyColumnIsWithinReach()
    {
        m_view->resize(600, 260);
        QTRY_COMPARE(m_table->horizontalScrollBarPolicy(), Qt::ScrollBarAsNeeded);
        const int length = static_cast<QTreeView*>(m_table)->header()->length();
        QTRY_VERIFY(m_table->horizontalScrollBar()->maximum() >= length - m_table->viewport()->width());
        QVERIFY(m_table->horizontalScrollBar()->maximum() > 0);
    }

    void withoutPacketsItSaysWhatRecordsThem()
    {
        m_table->setCurrentIndex(m_table->model()->index(0, 0));
        QTRY_VERIFY(m_context->moments());
        auto empty = std::make_shared<Timeline>(*m_timeline);
        empty->relations.clear();
        m_context->setTimeline(empty);
        QTRY_VERIFY(!m_table->isVisible());
        QVERIFY(!m_context->moments()); // No times are marked any more, because the selected connection and its packets do not exist.
        const auto labels = m_view->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->isVisible() && label->text().contains("lttng enable-event --kernel net_dev_queue,net_if_receive_skb");
        }));
    }

private:
    const std::vector<ConnectionFacts>& all()
    {
        if (m_all.empty())
            m_all = collectConnections(*m_timeline, {Timestamp::min(), Timestamp::max()});
        return m_all;
    }
    int largest()
    {
        const auto sum = [](const ConnectionFacts& it) { return it.from.counts.matched + it.to.counts.matched; };
        return int(std::ranges::max_element(all(), {}, sum) - all().begin());
    }

    QTemporaryDir m_stores;
    std::unique_ptr<Experiment> m_experiment;
    std::shared_ptr<const Timeline> m_timeline;
    std::vector<ConnectionFacts> m_all;
    std::unique_ptr<ViewContext> m_context;
    std::unique_ptr<PacketsView> m_view;
    QTreeView* m_table = nullptr;
};

HELIO_TEST(PacketsViewTest)
#include "tst_packets_view.moc"
