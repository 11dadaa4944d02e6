// Input: amplified traces, read by libbabeltrace2 and by Heliograph's reader. Property: each repetition has the source's events, fields,
// losses and order, shifted by a constant time.

#include "core/trace/merged_events.h"
#include "tests/bench/amplifier/source_trace.h"
#include "tests/bench/amplifier/trace_amplifier.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace helio;
using namespace helio::bench;
namespace fs = std::filesystem;

namespace {

struct Seen {
    std::int64_t time = 0;
    std::int64_t cpu = 0;
    std::string name;
    std::string payload;
    bool operator==(const Seen&) const = default;
};

struct Contents {
    std::vector<Seen> events;
    std::vector<std::uint64_t> losses;
    std::string problem;
};

Contents readByBabeltrace(const fs::path& folder)
{
    Contents contents;
    BabeltraceOracle oracle({folder});
    for (;;) {
        const auto kind = oracle.next();
        if (kind == BabeltraceOracle::Kind::End)
            break;
        if (kind == BabeltraceOracle::Kind::Event)
            contents.events.push_back({oracle.time(), oracle.cpu(), oracle.name(), oracle.contextText() + oracle.payloadText()});
        else
            contents.losses.push_back(oracle.lostEvents());
    }
    std::sort(contents.losses.begin(), contents.losses.end());
    contents.problem = oracle.problem();
    return contents;
}

std::shared_ptr<const Trace> openOwn(const fs::path& folder)
{
    for (const TraceFormat* format : builtinTraceFormats())
        for (const TraceSource& source : format->find(folder))
            if (auto opened = format->open(source); opened && (*opened)->info().reader == "heliograph")
                return *opened;
    return nullptr;
}

using Counts = std::map<std::string, std::uint64_t>;

Counts countNames(const Contents& contents)
{
    Counts counts;
    for (const auto& event : contents.events)
        ++counts[event.name];
    return counts;
}

Counts countNames(const Trace& trace)
{
    Counts counts;
    for (MergedEvents events(trace); events.next();)
        ++counts[events.event().type->name];
    return counts;
}

QByteArray contentOf(const fs::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

fs::path fixture(const char* path) { return fs::path(SOURCE_DIR) / path; }

} // namespace

class AmplifierTest : public QObject {
    Q_OBJECT

private slots:
    void everyRepetitionHasTheEventsOfTheSource_data()
    {
        QTest::addColumn<QString>("trace");
        QTest::newRow("kernel: compact and extended headers") << "tests/fixtures/kernel-small/kernel";
        QTest::newRow("lost events") << "tests/fixtures/lossy-small/kernel";
        QTest::newRow("user space") << "tests/fixtures/ust-callstack/ust";
    }
    void everyRepetitionHasTheEventsOfTheSource()
    {
        QFETCH(QString, trace);
        const fs::path path = fixture(qPrintable(trace));
        const auto source = SourceTrace::open(path);
        QVERIFY2(source, source ? "" : source.error().what.c_str());
        const auto folder = (*source)->streams().front().info.files.front().parent_path();

        const auto report = amplify(path, out(), {0, 3});
        QVERIFY2(report, report ? "" : report.error().what.c_str());

        const auto once = readByBabeltrace(folder);
        const auto thrice = readByBabeltrace(out());
        QCOMPARE(thrice.problem, std::string());
        QCOMPARE(report->events, once.events.size() * 3);
        QCOMPARE(thrice.events.size(), once.events.size() * 3);
        // The frequency of LTTng's clock is 1 GHz, so one cycle is 1 ns.
        const auto period = static_cast<std::int64_t>((*source)->period());
        for (std::size_t i = 0; i < thrice.events.size(); ++i) {
            auto expected = once.events[i % once.events.size()];
            expected.time += static_cast<std::int64_t>(i / once.events.size()) * period;
            QVERIFY2(thrice.events[i] == expected, qPrintable(QString("event %1, %2").arg(i).arg(expected.name.c_str())));
        }
        QVERIFY(period > once.events.back().time - once.events.front().time);
        std::vector<std::uint64_t> losses;
        for (const auto loss : once.losses)
            losses.insert(losses.end(), 3, loss);
        QCOMPARE(thrice.losses, losses);
    }

    void ourReaderFindsTheSameAsBabeltrace_data() { everyRepetitionHasTheEventsOfTheSource_data(); }
    void ourReaderFindsTheSameAsBabeltrace()
    {
        QFETCH(QString, trace);
        QVERIFY(amplify(fixture(qPrintable(trace)), out(), {0, 2}));

        const auto own = openOwn(out());

        QVERIFY(own);
        QVERIFY(own->diagnostics().empty());
        QCOMPARE(countNames(*own), countNames(readByBabeltrace(out())));
        MergedEvents events(*own);
        for (const auto& theirs : readByBabeltrace(out()).events) {
            QVERIFY(events.next());
            QCOMPARE(events.event().time().time_since_epoch().count(), theirs.time);
        }
    }

    void filesOfOneStreamBecomeOne()
    {
        const auto report = amplify(fixture("tests/fixtures/split-small/archives"), out(), {0, 2});

        QVERIFY2(report, report ? "" : report.error().what.c_str());
        const auto own = openOwn(out());
        QVERIFY(own);
        for (const auto& stream : own->streams())
            QCOMPARE(stream.files.size(), std::size_t(1));
        const auto theirs = readByBabeltrace(out());
        QCOMPARE(theirs.problem, std::string());
        QCOMPARE(theirs.events.size(), report->events);
        QCOMPARE(countNames(*own), countNames(theirs));
    }

    void aNumberOfEventsIsReachedAndNotByFarExceeded()
    {
        HELIO_REQUIRE_TRACE(trace, "lttng-kernel", "lossy/kernel");

        const auto report = amplify(trace.toStdString(), out(), {40'000, 0});

        QVERIFY2(report, report ? "" : report.error().what.c_str());
        QCOMPARE(report->copies, std::uint64_t(2));
        QVERIFY(report->events >= 40'000 && report->events < 41'000);
        const auto theirs = readByBabeltrace(out());
        QCOMPARE(theirs.problem, std::string());
        QCOMPARE(theirs.events.size(), report->events);
        QCOMPARE(countNames(*openOwn(out())), countNames(theirs));
    }

    void oneRepetitionIsTheSourceButForItsName_data()
    {
        QTest::addColumn<QString>("collection");
        QTest::addColumn<QString>("below");
        test::addRow("kernel", "lttng-kernel", "ctx/kernel");
        test::addRow("lost events", "lttng-kernel", "lossy/kernel");
        test::addRow("user space, large headers", "ust-callstack", "callstack/ust/uid/0/64-bit");
        test::addRow("big-endian", "public", "flipping-endianness");
    }
    void oneRepetitionIsTheSourceButForItsName()
    {
        QFETCH(QString, collection);
        QFETCH(QString, below);
        HELIO_REQUIRE_TRACE(trace, collection, below);
        const auto source = SourceTrace::open(trace.toStdString());
        QVERIFY2(source, source ? "" : source.error().what.c_str());

        QVERIFY(amplify(trace.toStdString(), out(), {0, 1}));

        const auto copy = SourceTrace::open(out());
        QVERIFY(copy);
        QVERIFY((*copy)->metadata().metadata.uuid != (*source)->metadata().metadata.uuid);
        for (const auto& stream : (*source)->streams()) {
            if (!stream.index.empty())
                QCOMPARE(contentOf(out() / "index" / stream.index.filename()), contentOf(stream.index));
            const auto before = contentOf(stream.info.files.front());
            auto after = contentOf(out() / stream.info.label);
            QCOMPARE(after.size(), before.size());
            // Restore the source's UUID, which follows the magic number of each packet: the copy differs from the source only in the UUID.
            for (const auto& packet : stream.data.packets)
                after.replace(static_cast<qsizetype>(packet.offset) + 4, 16, before.mid(static_cast<qsizetype>(packet.offset) + 4, 16));
            QVERIFY(after == before);
        }
    }

    void theSameSourceAndLengthMakeTheSameBytes()
    {
        QVERIFY(amplify(fixture("tests/fixtures/kernel-small/kernel"), out(), {0, 2}));
        const auto first = contentOf(out() / "chan_1") + contentOf(out() / "metadata");
        fs::remove_all(out());

        QVERIFY(amplify(fixture("tests/fixtures/kernel-small/kernel"), out(), {0, 2}));

        QVERIFY(contentOf(out() / "chan_1") + contentOf(out() / "metadata") == first);
    }

    void whatCannotBeRepeatedTruthfullyIsRefused()
    {
        const auto kernel = fixture("tests/fixtures/kernel-small/kernel");
        const auto refusal = [&](const fs::path& trace, const AmplifyOptions& options) {
            const auto report = amplify(trace, out(), options);
            return QString::fromStdString(report ? "" : report.error().what);
        };
        const fs::path damaged = fs::path(m_scratch.path().toStdString()) / "damaged";
        fs::copy(kernel, damaged);
        fs::resize_file(damaged / "chan_0", fs::file_size(damaged / "chan_0") - 100);

        QVERIFY(refusal(damaged, {0, 2}).contains("the file ends before the packet does"));
        QVERIFY(refusal(m_scratch.path().toStdString() + "/none", {0, 2}).contains("no CTF trace is here"));
        QVERIFY(refusal(fixture("tests/fixtures"), {0, 2}).contains("several traces"));
        QVERIFY(refusal(kernel, {}).contains("events or of copies"));
        QVERIFY(refusal(kernel, {0, UINT64_MAX}).contains("beyond the clock"));
        QVERIFY(!fs::exists(out()));
        QCOMPARE(refusal(kernel, {0, 1}), QString());
        QVERIFY(refusal(kernel, {0, 1}).contains("there is something already"));
    }

    void bitsAreWrittenAsTheyAreRead_data()
    {
        QTest::addColumn<int>("order");
        QTest::newRow("little") << int(ByteOrder::Little);
        QTest::newRow("big") << int(ByteOrder::Big);
    }
    void bitsAreWrittenAsTheyAreRead()
    {
        QFETCH(int, order);
        for (std::uint8_t bits = 1; bits <= 64; ++bits) {
            for (std::uint64_t bit = 0; bit < 16; ++bit) {
                std::array<std::byte, 16> bytes;
                bytes.fill(std::byte(0x5a));
                const BitPlace place{bit, bits, ByteOrder(order)};
                const auto before = bytes;
                const std::uint64_t value = 0x9e3779b97f4a7c15 >> (64 - bits);

                const auto old = place.read(bytes.data());
                place.write(bytes.data(), value);

                QCOMPARE(place.read(bytes.data()), value);
                place.write(bytes.data(), old);
                QVERIFY(bytes == before);
            }
        }
    }

    void init() { fs::remove_all(out()); }

private:
    fs::path out() const { return fs::path(m_scratch.path().toStdString()) / "out"; }

    QTemporaryDir m_scratch;
};

HELIO_TEST(AmplifierTest)
#include "tst_amplifier.moc"
