// Compares packets between two recorded hosts, and the clocks computed from them, with libbabeltrace2's reading of the traces.

#include "core/correlation/transmissions.h"
#include "core/experiment/experiment.h"
#include "core/query/rows/arrows.h"
#include "core/query/rows/timeline_access.h"
#include "core/timesync/host_clocks.h"
#include "core/timesync/link_times.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

using namespace helio;

namespace {

namespace fs = std::filesystem;

const std::int64_t Lag = 5'217'910'000; ///< Lag of db behind web in ns, measured by the recording's probes; its error is less than Bound.
const std::int64_t Bound = 500'000;

fs::path fixture(const char* host) { return fs::path(SOURCE_DIR "/tests/fixtures/two-hosts-small") / host; }

struct Seen {
    std::int64_t time;
    bool isOut;
    std::string host;
};

/// Observations of TCP packets, by the text of their headers without the fields that routers and network cards change.
std::map<std::string, std::vector<Seen>> packetsIn(const std::vector<std::pair<std::string, fs::path>>& hosts)
{
    std::map<std::string, std::vector<Seen>> packets;
    for (const auto& [host, path] : hosts) {
        BabeltraceOracle oracle({path});
        while (oracle.next() == BabeltraceOracle::Kind::Event) {
            const QString name = oracle.name();
            if (name != "net_dev_queue" && name != "net_if_receive_skb")
                continue;
            const QString text = QString::fromStdString(oracle.payloadText());
            static const QRegularExpression changing(" checksum=\\d+");
            const QString header = QString(text.mid(text.indexOf("network_header={"))).remove(changing);
            if (!header.contains("source_port") || !header.contains("ack_seq"))
                continue;
            packets[header.toStdString()].push_back({oracle.time(), name == "net_dev_queue", host});
        }
    }
    return packets;
}

/// Sending and receiving times of all packets with exactly one event at each end.
std::vector<std::pair<std::int64_t, std::int64_t>> matchesIn(const std::vector<std::pair<std::string, fs::path>>& hosts,
                                                             const std::string& from)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (const auto& [key, ends] : packetsIn(hosts)) {
        if (ends.size() != 2 || ends[0].isOut == ends[1].isOut || ends[0].host == ends[1].host)
            continue;
        const Seen& out = ends[0].isOut ? ends[0] : ends[1];
        const Seen& in = ends[0].isOut ? ends[1] : ends[0];
        if (out.host == from)
            found.emplace_back(out.time, in.time);
    }
    std::ranges::sort(found);
    return found;
}

std::vector<std::pair<std::int64_t, std::int64_t>> linksFrom(const Timeline& timeline, const char* view, const std::string& host)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (const Arrow& arrow : arrows(timeline, linkKindsInView(timeline, view), {Timestamp::min(), Timestamp::max()})) {
        if (arrow.detail.ends_with(" (part)")) // Parts of split or merged packets have no equal event at the other end.
            continue;
        if (kindOf(timeline, arrow).id == "packet" && arrow.detail.starts_with(host == "web" ? "tcp 10.0.2.2:" : "tcp 10.0.2.3:"))
            found.emplace_back(nanoseconds(arrow.fromTime), nanoseconds(arrow.toTime));
    }
    std::ranges::sort(found);
    return found;
}

/// Packet arrows of a view.
std::vector<Arrow> packetsOf(const Timeline& timeline, const char* view)
{
    std::vector<Arrow> found = arrows(timeline, linkKindsInView(timeline, view), {Timestamp::min(), Timestamp::max()});
    std::erase_if(found, [&](const Arrow& arrow) { return kindOf(timeline, arrow).id != "packet"; });
    return found;
}

TrackRole roleOf(const Timeline& timeline, TrackRef end)
{
    const Track* track = trackOf(timeline, end);
    return track ? track->role : TrackRole::Other;
}

} // namespace

class TestPackets : public QObject {
    Q_OBJECT

private slots:
    void linksAreThoseThatTheEventsSay()
    {
        const auto experiment = opened({fixture("web"), fixture("db")}, false);
        const auto timeline = experiment->timeline();
        const std::vector<std::pair<std::string, fs::path>> hosts{{"web", fixture("web") / "kernel"}, {"db", fixture("db") / "kernel"}};
        const auto toDb = matchesIn(hosts, "web");
        QCOMPARE(toDb.size(), std::size_t(41));
        QCOMPARE(matchesIn(hosts, "db").size(), std::size_t(22));
        for (const char* view : {"resources", "control-flow"}) {
            QCOMPARE(linksFrom(*timeline, view, "web"), toDb);
            QCOMPARE(linksFrom(*timeline, view, "db"), matchesIn(hosts, "db"));
        }
        QVERIFY(timeline->traces[1].clock == ClockTransform()); // The clock is not transformed, because raw times were requested.
    }

    void clocksFollowFromThem()
    {
        const auto experiment = opened({fixture("web"), fixture("db")}, true);
        const auto timeline = experiment->timeline();
        const auto clocks = hostClocks(*timeline);
        QCOMPARE(clocks.size(), std::size_t(2));
        QVERIFY(clocks[0].method == ClockMethod::Reference);
        QVERIFY(clocks[1].method == ClockMethod::Packets);
        QVERIFY(clocks[1].quality == FitQuality::Accurate);
        QCOMPARE(clocks[1].matchesTo, std::size_t(41));
        QCOMPARE(clocks[1].matchesFrom, std::size_t(22));
        QCOMPARE(clocks[1].path, (std::vector<std::uint32_t>{0, 1}));
        QVERIFY2(std::abs(clocks[1].offset.count() - Lag) < Bound, qPrintable(QString::number(clocks[1].offset.count())));
        QVERIFY(clocks[1].minError < Duration(Bound));
        QVERIFY(timeline->hosts[0].isSynchronized && timeline->hosts[1].isSynchronized);
        for (const Arrow& arrow : arrows(*timeline, {"packet"}, {Timestamp::min(), Timestamp::max()}))
            QVERIFY(arrow.fromTime < arrow.toTime);
    }

    /// Property: arrows connect threads in thread views and CPUs in CPU views; an end with an unknown thread is at its CPU in both.
    void eachPacketIsOneArrowInEachView()
    {
        const auto experiment = opened({fixture("web"), fixture("db")}, true);
        const auto timeline = experiment->timeline();
        const std::size_t all = timeline->relations[std::size_t(packetsOf(*timeline, "resources").at(0).relation)]->messages->all.size();
        QVERIFY(all >= 63);
        for (const char* view : {"resources", "control-flow", "call-stack"}) {
            const std::vector<Arrow> found = packetsOf(*timeline, view);
            std::set<std::uint32_t> messages;
            for (const Arrow& arrow : found) {
                messages.insert(arrow.message);
                QVERIFY(arrow.from.isValid() && arrow.to.isValid());
                if (std::string_view(view) == "resources")
                    QVERIFY(roleOf(*timeline, arrow.from) == TrackRole::Cpu && roleOf(*timeline, arrow.to) == TrackRole::Cpu);
            }
            QCOMPARE(found.size(), all);
            QCOMPARE(messages.size(), all);
        }
        const auto isOfThreads = [&](const Arrow& arrow) {
            return roleOf(*timeline, arrow.from) == TrackRole::Thread && roleOf(*timeline, arrow.to) == TrackRole::Thread;
        };
        QVERIFY(std::ranges::count_if(packetsOf(*timeline, "control-flow"), isOfThreads) > 20);
        std::uint64_t total = 0;
        arrows(*timeline, {"packet"}, {Timestamp::min(), Timestamp::max()}, 1, &total);
        QCOMPARE(total, std::uint64_t(all)); // A query without a view returns the arrows of all views.
    }

    void anArrowSaysWhatItsHeaderSays()
    {
        const auto experiment = opened({fixture("web"), fixture("db")}, true);
        const auto timeline = experiment->timeline();
        for (const Arrow& arrow : packetsOf(*timeline, "control-flow")) {
            const auto fields = messageFields(*timeline, arrow);
            const auto value = [&](std::string_view name) {
                const auto field = std::ranges::find(fields, name, &std::pair<std::string, std::string>::first);
                return field == fields.end() ? std::string() : field->second;
            };
            const std::string text = value("Protocol") + " " + value("Source") + " > " + value("Destination") + " seq " + value("Sequence")
                + " len " + value("Length");
            const std::string part = " (part)"; // End of the text of a split or merged packet.
            const std::string detail =
                arrow.detail.ends_with(part) ? arrow.detail.substr(0, arrow.detail.size() - part.size()) : arrow.detail;
            QCOMPARE(text, detail + " bytes");
            QVERIFY(value("Flags").find("ACK") != std::string::npos || value("Flags") == "SYN");
        }
    }

    void timesBetweenHostsAreAsSureAsTheirClocks()
    {
        const auto experiment = opened({fixture("web"), fixture("db")}, true);
        const auto timeline = experiment->timeline();
        for (const Arrow& arrow : packetsOf(*timeline, "resources")) {
            const LinkTimes times = linkTimes(*timeline, arrow);
            QCOMPARE(times.isBetweenHosts(), traceOf(*timeline, arrow.from) != traceOf(*timeline, arrow.to));
            QCOMPARE(times.length, arrow.toTime - arrow.fromTime);
            QVERIFY(times.isBetweenHosts() ? times.error > Duration{} && times.error < Duration(Bound) : times.error == Duration{});
            QVERIFY(times.order == LinkOrder::Forward);
        }
        const auto raw = opened({fixture("web"), fixture("db")}, false);
        for (const Arrow& arrow : packetsOf(*raw->timeline(), "resources"))
            if (const LinkTimes times = linkTimes(*raw->timeline(), arrow); times.isBetweenHosts()) {
                QCOMPARE(times.error, UnknownError);
                QVERIFY(times.order == (times.length < Duration{} ? LinkOrder::Unknown : LinkOrder::Forward));
            }
    }

    /// Input: a clock set by the user that makes packets go back in time. Property: arrows that go back by more than the error bound are
    /// marked.
    void anArrowThatGoesBackIsMarked()
    {
        const auto experiment = opened({fixture("web"), fixture("db")}, true);
        const auto before = experiment->timeline();
        const Arrow first = packetsOf(*before, "resources").front();
        const bool isToDb = linkTimes(*before, first).toHost == 1;
        for (const auto& [error, order] :
             {std::pair{Duration(1'000), LinkOrder::Impossible}, {std::chrono::seconds(10), LinkOrder::WithinError}}) {
            ClockSettings choice;
            const HostTimestamp at = before->hosts[1].path.fit.surest;
            choice.hosts[before->hosts[1].id] = {ClockLine{at, before->hosts[1].clock(at) + (isToDb ? -1 : 1) * std::chrono::seconds(1),
                                                           before->hosts[1].path.fit.line.gain},
                                                 error};
            experiment->setClocks(choice);
            const auto now = updatedArrow(*experiment->timeline(), first);
            QVERIFY(now);
            QCOMPARE(now->message, first.message);
            const LinkTimes times = linkTimes(*experiment->timeline(), *now);
            QVERIFY(times.length < Duration{});
            QVERIFY(times.order == order);
        }
    }

    /// Property: an arrow's text comes from its packet, not from its link: links are remade when a clock changes.
    void anArrowIsCalledAsItsMessage()
    {
        const auto experiment = opened({fixture("web"), fixture("db")}, true);
        const auto timeline = experiment->timeline();
        int packets = 0;
        for (const auto& relation : timeline->relations) {
            if (!relation || !relation->messages)
                continue;
            QVERIFY(std::ranges::all_of(relation->links.all(), [](const InterTraceLink& link) { return link.detail.empty(); }));
            for (const Arrow& arrow : packetsOf(*timeline, "control-flow")) {
                QCOMPARE(arrow.detail, textOf(*relation->messages, relation->messages->all[arrow.message]));
                ++packets;
            }
        }
        QVERIFY(packets >= 63);
    }

    void arrowsReachWhoWasWoken()
    {
        const auto experiment = opened({fixture("web"), fixture("db")}, true);
        const auto timeline = experiment->timeline();
        int woken = 0;
        for (const Arrow& arrow : arrows(*timeline, {"packet"}, {Timestamp::min(), Timestamp::max()})) {
            const Track* to = trackOf(*timeline, arrow.to);
            if (!to || to->role != TrackRole::Thread)
                continue;
            const auto wakeups = previousArrow(*timeline, arrow.to, arrow.toTime + std::chrono::milliseconds(1), {"wakeup"}, {false, true});
            woken += !wakeups.empty() && wakeups[0].toTime >= arrow.toTime ? 1 : 0;
        }
        QVERIFY2(woken > 20, qPrintable(QString::number(woken)));
    }

    /// Property: no packet arrow ends at a kernel thread or at an unrelated thread: softirqs do not belong to the kernel thread that
    /// serves them.
    void noArrowEndsOnAThreadOfTheKernel()
    {
        const auto experiment = opened({fixture("web"), fixture("db")}, true);
        const auto timeline = experiment->timeline();
        std::size_t ofThreads = 0;
        for (const auto& relation : timeline->relations)
            for (const InterTraceLink& link : relation ? relation->links.all() : std::span<const InterTraceLink>())
                for (const TrackRef end : {link.from, link.to}) {
                    const Track* track = trackOf(*timeline, end);
                    if (link.kind != LinkKind::Packet || !track || track->role != TrackRole::Thread)
                        continue;
                    ++ofThreads;
                    // Client and server are Python programs (README.md of the fixtures).
                    QVERIFY2(track->label == "python3", track->label.c_str());
                }
        QVERIFY(ofThreads > 60);
    }

    void aPersonsClockWinsAndCanBeTakenBack()
    {
        const auto experiment = opened({fixture("web"), fixture("db")}, true);
        const auto found = experiment->timeline();
        const std::string db = found->hosts[1].label;
        ClockSettings choice;
        choice.hosts[db] = {ClockLine{hostTime(0), timestamp(7'000'000'000), 0}, {}};
        experiment->setClocks(choice);
        const auto given = experiment->timeline();
        QVERIFY(given->generation > found->generation);
        QVERIFY(given->hosts[1].method == ClockMethod::Manual);
        QCOMPARE(nanoseconds(given->traces[1].clock(hostTime(5))), 7'000'000'005);
        const auto raw = matchesIn({{"web", fixture("web") / "kernel"}, {"db", fixture("db") / "kernel"}}, "db");
        QCOMPARE(linksFrom(*given, "resources", "db").front().first, raw.front().first + 7'000'000'000);
        QVERIFY(given->stores[0].store == found->stores[0].store); // The stores are reused, not rebuilt.

        choice = {};
        choice.reference = db;
        experiment->setClocks(choice);
        const auto turned = experiment->timeline();
        QVERIFY(turned->hosts[1].method == ClockMethod::Reference);
        QVERIFY(turned->traces[1].clock == ClockTransform());
        QVERIFY(std::abs(hostClocks(*turned)[0].offset.count() + Lag) < Bound);

        choice = {};
        choice.hosts[db] = {};
        experiment->setClocks(choice);
        QVERIFY(experiment->timeline()->traces[1].clock == ClockTransform());
        QVERIFY(!experiment->timeline()->hosts[1].isSynchronized);

        experiment->setClocks({});
        QCOMPARE(nanoseconds(experiment->timeline()->traces[1].clock(hostTime(0))), nanoseconds(found->traces[1].clock(hostTime(0))));
    }

    void eventsAloneAreOnOneClockToo()
    {
        ExperimentOptions options;
        options.storeDirectory = m_stores.path().toStdString();
        options.needsStates = false;
        const auto experiment = Experiment::open({fixture("web"), fixture("db")}, options);
        QVERIFY(experiment);
        QVERIFY((*experiment)->timeline()->hosts[1].method == ClockMethod::Packets);
    }

    void oneTraceIsItsOwnReference()
    {
        const auto experiment = opened({fixture("web")}, true);
        const auto timeline = experiment->timeline();
        QVERIFY(timeline->hosts[0].method == ClockMethod::Reference);
        QVERIFY(timeline->traces[0].clock == ClockTransform());
    }

    void threeHostsAgreeWithTheirProbes()
    {
        HELIO_REQUIRE_TRACE(folder, "two-hosts");
        const fs::path traces = folder.toStdString();
        const auto experiment = opened({traces / "client", traces / "web", traces / "db"}, true);
        const auto clocks = hostClocks(*experiment->timeline());
        QCOMPARE(clocks[1].matchesTo, std::size_t(204));
        QCOMPARE(clocks[1].matchesFrom, std::size_t(224));
        QCOMPARE(clocks[2].matchesTo, std::size_t(732));
        QCOMPARE(clocks[2].matchesFrom, std::size_t(436));
        QCOMPARE(clocks[2].path, (std::vector<std::uint32_t>{0, 1, 2}));
        // True offset web - client in ns, from four time stamps before and four after the recording, at times of the client.
        const auto isWithin = [&](std::int64_t client, std::int64_t low, std::int64_t high) {
            const ClockTransform& web = experiment->timeline()->hosts[1].clock;
            const std::int64_t at = nanoseconds(web.inverse(timestamp(client)));
            const std::int64_t error = web.errorAt(hostTime(at)).count();
            return at - client >= low - error && at - client <= high + error;
        };
        QVERIFY(isWithin(1795260114'839000000, 4'411'643'998, 4'412'032'160));
        QVERIFY(isWithin(1795260130'483000000, 4'412'429'432, 4'412'803'160));
    }

private:
    std::unique_ptr<Experiment> opened(const std::vector<fs::path>& paths, bool synchronizes)
    {
        ExperimentOptions options;
        options.storeDirectory = m_stores.path().toStdString();
        options.synchronize = synchronizes;
        auto experiment = Experiment::open(paths, options);
        if (!experiment)
            qFatal("%s", experiment.error().what.c_str());
        (*experiment)->start();
        if (!(*experiment)->wait())
            qFatal("not indexed");
        return std::move(*experiment);
    }

    QTemporaryDir m_stores;
};

HELIO_TEST(TestPackets)
#include "tst_packets.moc"
