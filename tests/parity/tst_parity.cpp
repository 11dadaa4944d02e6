// Compares every available CTF trace, read by Heliograph's readers, with libbabeltrace2: events, fields, losses and their order must be
// equal.

#include "core/formats/ctf/foreign/foreign_reader.h"
#include "core/trace/merged_events.h"
#include "core/trace/trace.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/ctf_golden.h"
#include "tests/support/made_ctf.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace helio;

namespace {

/// Largest trace, in bytes, that is also read through the slow foreign reader.
constexpr std::uint64_t SlowBytes = 4 << 20;

using Open = Result<std::shared_ptr<const Trace>> (*)(const TraceSource&);

const TraceFormat* ctf()
{
    for (const TraceFormat* format : builtinTraceFormats())
        if (format->name == "ctf")
            return format;
    return nullptr;
}

/// Iterates over a stream's events and losses, one at a time.
class Cursor {
public:
    Cursor(const Trace& trace, std::uint32_t stream)
        : m_trace(trace)
        , m_number(stream)
        , m_stream(trace.openStream(stream))
    {
    }

    using Kind = BabeltraceOracle::Kind;
    Kind next()
    {
        for (;;) {
            if (m_record < m_batch.records.size()) {
                view = {&m_batch.records[m_record], &m_trace.eventTypes()[m_batch.records[m_record].type], m_batch.packet, m_number};
                ++m_record;
                return Kind::Event;
            }
            if (m_loss < m_batch.losses.size()) {
                loss = m_batch.losses[m_loss++];
                return Kind::Loss;
            }
            m_record = m_loss = 0;
            if (!m_stream->next(m_batch))
                return Kind::End;
        }
    }

    EventView view;
    Loss loss;

private:
    const Trace& m_trace;
    std::uint32_t m_number;
    std::unique_ptr<EventStream> m_stream;
    EventBatch m_batch;
    std::size_t m_record = 0;
    std::size_t m_loss = 0;
};

std::string contextOf(const EventView& event)
{
    return textOf(decodeSection(event, Section::StreamContext)) + textOf(decodeSection(event, Section::EventContext));
}

std::string headOf(const EventView& e)
{
    return std::to_string(nanoseconds(e.time())) + " cpu " + std::to_string(e.cpu()) + ' ' + e.type->name;
}
std::string headOf(const BabeltraceOracle& o) { return std::to_string(o.time()) + " cpu " + std::to_string(o.cpu()) + ' ' + o.name(); }

std::string fullTextOf(const EventView& e)
{
    return headOf(e) + " context " + contextOf(e) + " payload " + textOf(decodeSection(e, Section::Payload));
}
std::string fullTextOf(const BabeltraceOracle& o) { return headOf(o) + " context " + o.contextText() + " payload " + o.payloadText(); }

/// Returns, for each stream of libbabeltrace2, the index of the stream that Heliograph's reader made of the same data. Streams are
/// matched by their first event; a stream without events has the index -1.
std::vector<int> matchStreams(const Trace& trace, const std::vector<std::filesystem::path>& folders, std::size_t count)
{
    std::vector<std::string> ours;
    for (std::uint32_t i = 0; i < trace.streams().size(); ++i) {
        Cursor cursor(trace, i);
        auto kind = cursor.next();
        while (kind == Cursor::Kind::Loss)
            kind = cursor.next();
        ours.push_back(kind == Cursor::Kind::Event ? fullTextOf(cursor.view) : std::string());
    }
    std::vector<int> matches;
    for (std::size_t i = 0; i < count; ++i) {
        BabeltraceOracle oracle(folders, i);
        auto kind = oracle.next();
        while (kind == Cursor::Kind::Loss)
            kind = oracle.next();
        const std::string text = kind == Cursor::Kind::Event ? fullTextOf(oracle) : std::string();
        const auto found = std::find(ours.begin(), ours.end(), text);
        if (text.empty() || found == ours.end()) {
            if (!text.empty())
                qWarning("no stream of ours begins with %s", text.c_str());
            matches.push_back(text.empty() ? -1 : -2);
            continue;
        }
        matches.push_back(static_cast<int>(found - ours.begin()));
        *found = "taken";
    }
    return matches;
}

/// Text of the first difference between two current events; empty if they are equal.
std::string difference(Cursor& ours, BabeltraceOracle& theirs)
{
    const EventView& e = ours.view;
    const std::string our = fullTextOf(e), their = fullTextOf(theirs);
    if (our != their)
        return our + "\n  babeltrace2: " + their;
    if (theirs.isFirstOfPacket()) {
        std::vector<std::string> packet;
        for (const NamedValue& field : decodeSection(e, Section::PacketContext))
            packet.push_back(textOf(field));
        // libbabeltrace2 omits the fields that it evaluates itself, such as timestamp_begin.
        for (const std::string& field : theirs.packetTexts())
            if (std::find(packet.begin(), packet.end(), field) == packet.end())
                return "packet context without " + field;
    }
    return {};
}

/// A loss with its counts. libbabeltrace2 reports lost events from the end of the previous packet to the end of the packet whose counter
/// grew. Heliograph reports them between the surrounding events: this range may begin earlier, but always touches libbabeltrace2's range.
struct LossFact {
    std::uint64_t events = 0;
    std::uint64_t packets = 0;
    /// Begin and end in ns; nullopt for lost packets, for which libbabeltrace2 gives no times.
    std::optional<std::pair<std::int64_t, std::int64_t>> times;

    std::string text() const
    {
        return std::to_string(events) + " events and " + std::to_string(packets) + " packets lost up to "
            + (times ? std::to_string(times->second) : "?");
    }
};

std::string lossDifference(const std::vector<LossFact>& ours, const std::vector<LossFact>& theirs)
{
    for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
        const LossFact a = i < ours.size() ? ours[i] : LossFact{};
        const LossFact b = i < theirs.size() ? theirs[i] : LossFact{};
        const bool isElsewhere = b.times && (!a.times || a.times->first > b.times->second || a.times->second < b.times->first);
        if (a.events != b.events || a.packets != b.packets || isElsewhere)
            return "loss " + std::to_string(i) + ": " + a.text() + "\n  babeltrace2: " + b.text();
    }
    return {};
}

Cursor::Kind nextEvent(Cursor& ours, std::vector<LossFact>& losses)
{
    auto kind = ours.next();
    for (; kind == Cursor::Kind::Loss; kind = ours.next())
        if (const Loss& loss = ours.loss; loss.events > 0 || loss.packets > 0)
            losses.push_back({loss.events, loss.packets, std::pair(nanoseconds(loss.range.begin), nanoseconds(loss.range.end))});
    return kind;
}

Cursor::Kind nextEvent(BabeltraceOracle& theirs, std::vector<LossFact>& losses)
{
    auto kind = theirs.next();
    for (; kind == Cursor::Kind::Loss; kind = theirs.next())
        losses.push_back({theirs.lostEvents(), theirs.lostPackets(), theirs.lossTimes()});
    return kind;
}

std::string streamDifference(const Trace& trace, std::uint32_t stream, BabeltraceOracle& theirs)
{
    Cursor ours(trace, stream);
    std::vector<LossFact> ourLosses;
    std::vector<LossFact> theirLosses;
    for (std::uint64_t number = 0;; ++number) {
        const bool hasNext = nextEvent(ours, ourLosses) == Cursor::Kind::Event;
        const bool theyHaveNext = nextEvent(theirs, theirLosses) == Cursor::Kind::Event;
        std::string what;
        if (hasNext && theyHaveNext)
            what = difference(ours, theirs);
        else if (hasNext)
            what = fullTextOf(ours.view) + "\n  babeltrace2: the end " + theirs.problem();
        else if (theyHaveNext)
            what = "the end\n  babeltrace2: " + fullTextOf(theirs);
        else
            what = lossDifference(ourLosses, theirLosses);
        if (!what.empty())
            return "stream " + trace.streams()[stream].label + ", after " + std::to_string(number) + " events: " + what;
        if (!hasNext)
            return {};
    }
}

std::string traceDifference(const Trace& trace, const std::vector<std::filesystem::path>& folders, std::size_t ports)
{
    const std::vector<int> matches = matchStreams(trace, folders, ports);
    std::size_t matched = 0;
    for (std::size_t port = 0; port < ports; ++port) {
        if (matches[port] == -2)
            return "stream " + std::to_string(port) + " of babeltrace2 is none of ours";
        if (matches[port] < 0)
            continue;
        ++matched;
        BabeltraceOracle theirs(folders, port);
        const std::string what = streamDifference(trace, static_cast<std::uint32_t>(matches[port]), theirs);
        if (!what.empty())
            return what;
    }
    for (std::uint32_t i = 0; i < trace.streams().size(); ++i) {
        const bool isMatched = std::find(matches.begin(), matches.end(), static_cast<int>(i)) != matches.end();
        Cursor ours(trace, i);
        if (!isMatched && ours.next() == Cursor::Kind::Event)
            return "stream " + trace.streams()[i].label + " has events, but babeltrace2 has no such stream";
    }
    return matched == 0 ? "no stream has events" : "";
}

/// Text of the first difference between the merged streams; also empty if libbabeltrace2's muxer stops because time goes back.
std::string orderDifference(const Trace& trace, const std::vector<std::filesystem::path>& folders)
{
    MergedEvents ours(trace);
    BabeltraceOracle theirs(folders);
    for (std::uint64_t number = 0;; ++number) {
        auto kind = theirs.next();
        while (kind == Cursor::Kind::Loss)
            kind = theirs.next();
        if (!theirs.problem().empty()) {
            qInfo("the muxer stops after %llu events: %s", static_cast<unsigned long long>(number), theirs.problem().c_str());
            return {};
        }
        const bool hasNext = ours.next();
        if (hasNext != (kind == Cursor::Kind::Event))
            return hasNext ? "there are more of ours" : "there are less of ours";
        if (!hasNext)
            return {};
        if (headOf(ours.event()) != headOf(theirs))
            return "event " + std::to_string(number) + ": " + headOf(ours.event()) + "\n  babeltrace2: " + headOf(theirs);
    }
}

QString nameOf(const TraceSource& source, const QString& root) { return QString::fromStdString(source.path.string()).mid(root.size() + 1); }

std::vector<std::filesystem::path> foldersOf(const TraceSource& source)
{
    return source.parts.empty() ? std::vector{source.path} : source.parts;
}

QString madeRoot()
{
    static const QTemporaryDir made;
    if (QDir(made.path()).isEmpty())
        writeMadeCtf(made.path());
    return made.path();
}

std::vector<std::pair<QString, QString>> roots()
{
    std::vector<std::pair<QString, QString>> found{
        {"fixtures", SOURCE_DIR "/tests/fixtures"}, {"samples", SOURCE_DIR "/resources/samples"}, {"made", madeRoot()}};
    for (const QString& collection : realTraceCollections())
        found.emplace_back(collection, realTrace(collection));
    return found;
}

std::uint64_t bytesOf(const std::vector<std::filesystem::path>& folders)
{
    std::uint64_t bytes = 0;
    std::error_code ignored;
    for (const auto& folder : folders)
        for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
            bytes += entry.is_regular_file() ? entry.file_size() : 0;
    return bytes;
}

} // namespace

Q_DECLARE_METATYPE(helio::TraceSource)

namespace {

/// Reads batches until one has events: a reader that waits for data may return empty batches.
bool nextEvents(EventStream& stream, EventBatch& batch)
{
    while (stream.next(batch))
        if (!batch.records.empty())
            return true;
    return false;
}

} // namespace

class ParityTest : public QObject {
    Q_OBJECT

private slots:
    void everyStreamHoldsWhatBabeltrace2Says_data() { addSources(true); }
    void everyStreamHoldsWhatBabeltrace2Says()
    {
        QFETCH(TraceSource, source);
        compare(ctf()->open(source), foldersOf(source));
    }

    void everyMadeTraceIsCompared()
    {
        const QString made = madeRoot();
        const auto folders = ctfFolders(made);
        QCOMPARE(folders.size(), QDir(made).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size());
        QVERIFY(folders.size() >= 10);
        for (const QString& folder : folders) {
            std::string problem;
            QVERIFY2(!BabeltraceOracle::streams({folder.toStdString()}, problem).empty(), problem.c_str());
        }
    }

    void allStreamsComeInBabeltrace2sOrder_data() { addSources(true); }
    void allStreamsComeInBabeltrace2sOrder()
    {
        QFETCH(TraceSource, source);
        const auto folders = foldersOf(source);
        std::string problem;
        if (BabeltraceOracle::streams(folders, problem).empty())
            QSKIP(problem.c_str());
        const auto trace = ctf()->open(source);
        QVERIFY2(trace, trace ? "" : trace.error().what.c_str());

        const std::string what = orderDifference(**trace, folders);

        QVERIFY2(what.empty(), what.c_str());
    }

    void throughTheDoorToBabeltrace2NothingIsLost_data() { addSources(false); }
    void throughTheDoorToBabeltrace2NothingIsLost()
    {
        QFETCH(TraceSource, source);
        compare(openWithBabeltrace(source, "for the test"), foldersOf(source));
    }

    void bothReadersReportTheSameOfATrace_data() { addSources(true); }
    void bothReadersReportTheSameOfATrace()
    {
        QFETCH(TraceSource, source);
        std::string problem;
        if (BabeltraceOracle::streams(foldersOf(source), problem).empty())
            QSKIP(problem.c_str());
        const auto ours = ctf()->open(source);
        QVERIFY2(ours, ours ? "" : ours.error().what.c_str());
        const auto theirs = openWithBabeltrace(source, {});
        QVERIFY2(theirs, theirs ? "" : theirs.error().what.c_str());

        const TraceInfo& a = (*ours)->info();
        const TraceInfo& b = (*theirs)->info();
        QCOMPARE(a.name, b.name);
        QCOMPARE(a.uuid, b.uuid);
        QCOMPARE(a.hostname, b.hostname);
        QCOMPARE(a.bytes, b.bytes);
        QVERIFY(a.environment == b.environment);
        QCOMPARE(a.clock.name, b.clock.name);
        QCOMPARE(a.clock.uuid, b.clock.uuid);
        QCOMPARE(a.clock.frequency, b.clock.frequency);
        QCOMPARE(a.clock.offset, b.clock.offset);
        QCOMPARE(a.clock.isAbsolute, b.clock.isAbsolute);
    }

    void aStreamOfTheDoorIsTakenUpWhereItWasLeft()
    {
        const auto trace = openWithBabeltrace({SOURCE_DIR "/resources/samples/workers/kernel", {}}, {});
        QVERIFY2(trace, trace ? "" : trace.error().what.c_str());
        const auto whole = (*trace)->openStream(0);
        EventBatch batch;
        QVERIFY(nextEvents(*whole, batch) && nextEvents(*whole, batch));
        const StreamPosition second = batch.begin;
        const std::string text = fullTextOf({&batch.records[0], &(*trace)->eventTypes()[batch.records[0].type], batch.packet, 0});

        const auto again = (*trace)->openStream(0, second);
        QVERIFY(nextEvents(*again, batch));

        QCOMPARE(batch.begin.event, second.event);
        QCOMPARE(fullTextOf({&batch.records[0], &(*trace)->eventTypes()[batch.records[0].type], batch.packet, 0}), text);
    }

    void streamsOfTheDoorMayBeReadAtOnce()
    {
        const auto trace = openWithBabeltrace({SOURCE_DIR "/resources/samples/workers/kernel", {}}, {});
        QVERIFY2(trace, trace ? "" : trace.error().what.c_str());
        std::atomic<std::uint64_t> events = 0;
        {
            std::vector<std::jthread> threads;
            for (std::uint32_t i = 0; i < 2 * (*trace)->streams().size(); ++i)
                threads.emplace_back([&, i] {
                    const auto stream = (*trace)->openStream(i / 2);
                    EventBatch batch;
                    while (stream->next(batch))
                        events += batch.records.size();
                });
        }

        QCOMPARE(events.load(), std::uint64_t{2 * 20235});
    }

    void theEnvironmentCanAskForTheDoor()
    {
        const TraceSource sample{SOURCE_DIR "/resources/samples/workers/kernel", {SOURCE_DIR "/resources/samples/workers/kernel"}};
        qputenv("HELIOGRAPH_READER", "babeltrace2");
        const auto forced = ctf()->open(sample);
        qunsetenv("HELIOGRAPH_READER");
        const auto usual = ctf()->open(sample);

        QVERIFY(forced && usual);
        QCOMPARE((*forced)->info().reader, std::string("babeltrace2"));
        QCOMPARE((*usual)->info().reader, std::string("heliograph"));
    }

    void theDoorSaysWhatCtf2Needs()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        GoldenFile::read(SOURCE_DIR "/tests/golden/ctf/ctf2-declined.golden").unpackTo(path);
        const auto trace = ctf()->open({path, {path}});

        QVERIFY(!trace);
        const QString what = QString::fromStdString(trace.error().what);
        QVERIFY2(what.contains("an integer of 100 bits") && what.contains("2.1 or later"), qPrintable(what));
    }

private:
    /// Adds a row for each trace. Traces of SlowBytes or more are left out if `all` is false, because the comparison would take too long.
    static void addSources(bool all)
    {
        QTest::addColumn<TraceSource>("source");
        for (const auto& [collection, root] : roots())
            for (const TraceSource& source : all ? sourcesIn(root) : foldersIn(root)) {
                if (all || bytesOf(foldersOf(source)) < SlowBytes)
                    QTest::newRow(qPrintable(collection + '/' + nameOf(source, root))) << source;
            }
    }

    static std::vector<TraceSource> sourcesIn(const QString& root)
    {
        if (root.isEmpty() || !std::filesystem::exists(root.toStdString()))
            return {};
        return ctf()->find(root.toStdString());
    }

    /// Returns a source for each CTF folder: chunks of one trace are opened separately, because joining is opt-in.
    static std::vector<TraceSource> foldersIn(const QString& root)
    {
        std::vector<TraceSource> found;
        for (const QString& folder : ctfFolders(root))
            found.push_back({folder.toStdString(), {folder.toStdString()}});
        return found;
    }

    static void compare(const Result<std::shared_ptr<const Trace>>& trace, const std::vector<std::filesystem::path>& folders)
    {
        std::string problem;
        const std::size_t ports = BabeltraceOracle::streams(folders, problem).size();
        if (ports == 0)
            QSKIP(("babeltrace2 does not read it: " + problem).c_str());
        QVERIFY2(trace, trace ? "" : trace.error().what.c_str());

        const std::string what = traceDifference(**trace, folders, ports);

        QVERIFY2(what.empty(), what.c_str());
    }
};

HELIO_TEST(ParityTest)
#include "tst_parity.moc"
