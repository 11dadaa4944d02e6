// Property: the packets of a stream file are equal whether they are read from LTTng's index or from the packets' own headers.

#include "core/formats/ctf/opening/ctf_opening.h"
#include "core/formats/ctf/recording/ctf_trace.h"
#include "core/trace/merged_events.h"
#include "tests/support/ctf_golden.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <fstream>

using namespace helio;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t FullPacket = 4096;
constexpr std::uint64_t Packets = 12;

const char* const Metadata = R"(/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
clock { name = c; freq = 1000000000; };
typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := stamp;
stream {
    id = 0;
    packet.context := struct { stamp timestamp_begin; stamp timestamp_end; u64 content_size; u64 packet_size; u64 packet_seq_num;
                               u64 events_discarded; u32 cpu_id; };
    event.header := struct { u32 id; stamp timestamp; };
};
event { id = 0; name = "e"; stream_id = 0; fields := struct { u32 x; }; };
)";

template <typename Number> void append(std::string& bytes, Number number)
{
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

struct Packet {
    std::uint64_t begin, end, contentBits, sequence, discarded;
};

Packet packet(std::uint64_t i) { return {1000 * i, 1000 * i + 900, 8 * (60 + 16 * (10 + i)), i, i / 3}; }

std::string streamFile()
{
    std::string file;
    for (std::uint64_t i = 0; i < Packets; ++i) {
        std::string bytes;
        const Packet p = packet(i);
        append(bytes, std::uint32_t(0xC1FC1FC1));
        append(bytes, std::uint32_t(0));
        for (const std::uint64_t number : {p.begin, p.end, p.contentBits, std::uint64_t(8 * FullPacket), p.sequence, p.discarded})
            append(bytes, number);
        append(bytes, std::uint32_t(3));
        for (std::uint64_t event = 0; 8 * (bytes.size() + 16) <= p.contentBits; ++event) {
            append(bytes, std::uint32_t(0));
            append(bytes, p.begin + 10 * event);
            append(bytes, std::uint32_t(i));
        }
        bytes.resize(p.contentBits / 8);
        bytes.resize(FullPacket);
        file += bytes;
    }
    return file;
}

std::string indexFile(std::uint32_t minor = 1)
{
    std::string file;
    for (const std::uint32_t number : {0xC1F1DCC1u, 1u, minor, minor ? 72u : 56u})
        append(file, __builtin_bswap32(number));
    for (std::uint64_t i = 0; i < Packets; ++i) {
        const Packet p = packet(i);
        for (const std::uint64_t number :
             {i * FullPacket, std::uint64_t(8 * FullPacket), p.contentBits, p.begin, p.end, p.discarded, std::uint64_t(0)})
            append(file, __builtin_bswap64(number));
        if (minor)
            for (const std::uint64_t number : {std::uint64_t(0), p.sequence})
                append(file, __builtin_bswap64(number));
    }
    return file;
}

void set64(std::string& index, std::uint64_t packet, std::size_t number, std::uint64_t value)
{
    value = __builtin_bswap64(value);
    std::memcpy(index.data() + 16 + 72 * packet + 8 * number, &value, sizeof value);
}

void write(const fs::path& path, const std::string& bytes)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

struct Opened {
    std::shared_ptr<const Trace> trace;
    std::size_t packets = 0; ///< Number of packets with a time range.
    std::uint64_t discarded = 0;
};

/// Opens the stream with the index; `index` is the content of the index file, empty for no file.
Opened opened(const std::string& stream, const std::string& index)
{
    const QTemporaryDir folder;
    const fs::path path = folder.path().toStdString();
    write(path / "metadata", Metadata);
    write(path / "stream", stream);
    if (!index.empty())
        write(path / "index" / "stream.idx", index);
    Opened result;
    if (auto trace = openCtf({path, {path}})) {
        result.trace = std::move(*trace);
        for (const StreamInfo& info : result.trace->streams())
            for (const PacketInfo& p : info.packets) {
                result.packets += p.range.has_value(); // Bytes that are no packet have no time range.
                result.discarded += p.discarded;
            }
    }
    return result;
}

} // namespace

class PacketIndexTest : public QObject {
    Q_OBJECT

private slots:
    void anIndexGivesTheSameTrace()
    {
        const Opened with = opened(streamFile(), indexFile());
        const Opened without = opened(streamFile(), {});

        QVERIFY(with.trace && without.trace);
        QCOMPARE(with.packets, std::size_t(Packets));
        QCOMPARE(with.packets, without.packets);
        QCOMPARE(with.discarded, without.discarded);
        QCOMPARE(with.discarded, std::uint64_t(3));
        QCOMPARE(with.trace->info().identity, without.trace->info().identity);
        const auto& a = with.trace->streams()[0];
        const auto& b = without.trace->streams()[0];
        QCOMPARE(a.cpu, 3);
        for (std::size_t i = 0; i < Packets; ++i) {
            QCOMPARE(a.packets[i].offset, b.packets[i].offset);
            QCOMPARE(a.packets[i].contentBits, b.packets[i].contentBits);
            QVERIFY(a.packets[i].range == b.packets[i].range);
            QCOMPARE(a.packets[i].cpu, b.packets[i].cpu);
        }
    }

    void mostHeadersAreNotReadWhereThereIsAnIndex()
    {
        std::string stream = streamFile();
        stream[2 * FullPacket] = 0; // Damages the third packet's header, which only a reader of headers notices.

        QCOMPARE(opened(stream, {}).packets, std::size_t(Packets - 1));
        QCOMPARE(opened(stream, indexFile()).packets, std::size_t(Packets));
    }

    void anIndexThatHeadersContradictIsNotUsed_data()
    {
        QTest::addColumn<int>("packet");
        QTest::addColumn<int>("number");
        QTest::addColumn<quint64>("value");
        QTest::newRow("begin of the first") << 0 << 3 << quint64(1);
        QTest::newRow("content of the last") << 11 << 2 << quint64(4000);
        QTest::newRow("end in the middle") << 6 << 4 << quint64(6999);
        QTest::newRow("discarded") << 11 << 5 << quint64(1000);
        QTest::newRow("sequence") << 11 << 8 << quint64(1000);
        QTest::newRow("stream of any") << 2 << 6 << quint64(7);
        QTest::newRow("offset") << 2 << 0 << quint64(4096);
        QTest::newRow("size") << 2 << 1 << quint64(8);
        QTest::newRow("size of nothing") << 2 << 1 << quint64(0);
        QTest::newRow("content larger than the packet") << 2 << 2 << quint64(8 * FullPacket + 8);
        QTest::newRow("huge") << 11 << 1 << ~quint64(7);
    }
    void anIndexThatHeadersContradictIsNotUsed()
    {
        QFETCH(int, packet);
        QFETCH(int, number);
        QFETCH(quint64, value);
        std::string index = indexFile();
        set64(index, std::uint64_t(packet), std::size_t(number), value);
        std::string stream = streamFile();
        // Damages the header of packet 8. The damage is noticed only if the packets' headers are read instead of the index file.
        stream[8 * FullPacket] = 0;

        QCOMPARE(opened(stream, indexFile()).packets, std::size_t(Packets));
        QCOMPARE(opened(stream, index).packets, std::size_t(Packets - 1));
    }

    void whatIsNoIndexIsNotUsed()
    {
        std::string stream = streamFile();
        stream[8 * FullPacket] = 0;
        for (std::size_t size = 1; size < indexFile().size(); size += 11)
            QCOMPARE(opened(stream, indexFile().substr(0, size)).packets, std::size_t(Packets - 1));
        QCOMPARE(opened(stream, indexFile() + std::string(72, '\0')).packets, std::size_t(Packets - 1));
        QCOMPARE(opened(stream, std::string(5000, '\xff')).packets, std::size_t(Packets - 1));
        // The index is not used, because an index of minor version 0 has no sequence numbers of packets.
        QCOMPARE(opened(stream, indexFile(0)).packets, std::size_t(Packets - 1));
        // The stream file is longer than the index says.
        QCOMPARE(opened(stream + std::string(100, 'x'), indexFile()).packets, std::size_t(Packets - 1));
    }

    void aPacketThatIsNotAsItsIndexSaysHasNoEvents_data()
    {
        QTest::addColumn<int>("byte"); // Offset of the damaged byte in the first packet's header.
        QTest::addColumn<QString>("kind");
        QTest::newRow("magic") << 0 << "not-a-packet";
        QTest::newRow("stream") << 4 << "unknown-stream";
        QTest::newRow("begin") << 8 << "not-a-packet";
        QTest::newRow("content size") << 24 << "not-a-packet";
    }
    void aPacketThatIsNotAsItsIndexSaysHasNoEvents()
    {
        QFETCH(int, byte);
        QFETCH(QString, kind);
        const Opened whole = opened(streamFile(), indexFile());
        std::string stream = streamFile();
        stream[std::size_t(2 * FullPacket) + std::size_t(byte)] ^= 0x55;
        const Opened damaged = opened(stream, indexFile());
        QCOMPARE(damaged.packets, std::size_t(Packets));

        MergedEvents all(*whole.trace);
        MergedEvents rest(*damaged.trace);
        std::size_t events = 0;
        for (; rest.next(); ++events) {
            do
                QVERIFY(all.next());
            while (nanoseconds(all.event().time()) >= 2000 && nanoseconds(all.event().time()) < 3000);
            QCOMPARE(rest.event().time(), all.event().time());
        }
        QVERIFY(!all.next());
        QVERIFY(events > 0);
        std::vector<Loss> lost;
        for (const Loss& loss : rest.takeLosses())
            if (loss.packets > 0)
                lost.push_back(loss);
        QCOMPARE(lost.size(), std::size_t(1));
        QVERIFY(lost[0].range == (HostRange{hostTime(2000), hostTime(2900)}));
        QCOMPARE(lost[0].cpu, 3);
        const auto diagnostics = rest.diagnostics();
        QCOMPARE(diagnostics.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(diagnostics[0].kind), kind);
        QCOMPARE(diagnostics[0].offset, std::uint64_t(2 * FullPacket));
        QVERIFY(diagnostics[0].what.find("packet 2 of its stream") != std::string::npos);
    }

    void aSampledHeaderThatIsDamagedIsOneGap()
    {
        std::string stream = streamFile();
        // The first packet is one of those whose headers are compared with the index. Its header is damaged, so it becomes a gap.
        stream[0] = 0;
        const Opened damaged = opened(stream, indexFile());
        QCOMPARE(damaged.packets, std::size_t(Packets - 1));
        QCOMPARE(damaged.trace->streams()[0].packets.size(), std::size_t(Packets));
    }

    void packetsFoundSoFarCanBeLookedAt()
    {
        const QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        write(path / "metadata", Metadata);
        write(path / "stream", streamFile());
        auto opening = ctf::beginCtf({path, {path}});
        QVERIFY(opening);
        const auto provisional = (*opening)->provisionalTrace();
        QVERIFY(provisional->streams().empty());
        QCOMPARE(provisional->info().bytes, Packets * FullPacket);
        QCOMPARE(provisional->eventTypes().size(), std::size_t(1));

        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = (*opening)->finish({}, stop.get_token());
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().kind, Error::Kind::Cancelled);
    }
};

HELIO_TEST(PacketIndexTest)
#include "tst_packet_index.moc"
