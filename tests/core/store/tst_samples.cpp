// Samples in every kind of store, and the detection of damaged samples.

#include "core/store/samples.h"
#include "core/store/sampling/sample_blocks.h"
#include "tests/core/store/store_bytes.h"
#include "tests/core/store/store_contract.h"
#include "tests/support/test_program.h"

#include <random>

using namespace helio;
using namespace helio::test;

namespace {

constexpr std::array Sections{format::SectionId::SampleKinds, format::SectionId::Stacks, format::SectionId::SampleBlocks};
constexpr int Many = 10'000; ///< Number of samples: more than fit into two blocks.

StackFrame frame(std::uint32_t module, std::uint64_t address, bool isReturnAddress = false)
{
    return {ModuleId{module}, isReturnAddress, address};
}

/// Adds samples of a counter and off-CPU samples, and returns them.
std::vector<std::vector<HostSample>> fill(StoreBuilder& builder)
{
    SampleSink& sink = builder.samples();
    std::mt19937_64 random(7);
    const SampleKindId clock = sink.addKind({"cpu-clock", "ns", SampleKind::Origin::Event, true});
    const SampleKindId blocked = sink.addKind({"off-cpu:blocked", "ns", SampleKind::Origin::OffCpu, true, Duration(1234567)});
    std::vector<std::vector<HostSample>> added(2);
    for (int i = 0; i < Many; ++i) {
        StackId stack = NoStack;
        for (unsigned depth = 0; depth < random() % 6; ++depth)
            stack = builder.stacks().stack(stack, frame(depth, random() % 4, depth % 2 == 0));
        HostSample sample{at(1000 * i),
                          random() >> (random() % 64),
                          random() % 1'000'000,
                          stack,
                          TrackId{static_cast<std::uint32_t>(random() % 3)},
                          int(random() % 5) - 1,
                          clock,
                          CodeMode(random() % 6),
                          random() % 2 == 0,
                          random() % 2 == 0,
                          random() % 2 == 0};
        if (random() % 4 == 0)
            sample.thread = NoTrack;
        sink.add(sample);
        added[0].push_back(sample);
        sample.kind = blocked;
        sample.time -= Duration(500);
        sample.weight = 400;
        sink.add(sample);
        added[1].push_back(sample);
    }
    return added;
}

std::vector<HostSample> visited(const SampleSet& set, std::uint8_t kind, HostRange range = Always)
{
    std::vector<HostSample> all;
    set.visit(SampleKindId{kind}, range, [&](std::span<const HostSample> part) { all.insert(all.end(), part.begin(), part.end()); });
    return all;
}

} // namespace

class SamplesTest : public QObject {
    Q_OBJECT

private:
    StoreFiles m_files;

    std::shared_ptr<const Store> make(bool isFile, std::vector<std::vector<HostSample>>& added)
    {
        auto builder = isFile ? fileBuilder(m_files.path("samples"), at(0)) : makeMemoryStoreBuilder(at(0));
        added = fill(*builder);
        return finished(*builder, 0, 1000 * Many);
    }

    QByteArray fileBytes()
    {
        std::vector<std::vector<HostSample>> added;
        make(true, added);
        return m_files.bytesOf("samples");
    }

private slots:
    void whatWasAddedComesBack_data()
    {
        QTest::addColumn<bool>("isFile");
        QTest::newRow("memory") << false;
        QTest::newRow("file") << true;
    }
    void whatWasAddedComesBack()
    {
        QFETCH(bool, isFile);
        std::vector<std::vector<HostSample>> added;

        const auto store = make(isFile, added);

        const SampleSet& samples = store->samples();
        QCOMPARE(samples.kinds().size(), std::size_t(2));
        QCOMPARE(samples.kinds()[1].name, std::string("off-cpu:blocked"));
        QCOMPARE(samples.kinds()[0].spacing, Duration(0));
        QCOMPARE(samples.kinds()[1].spacing, Duration(1234567));
        QCOMPARE(samples.count(), 2u * Many);
        QCOMPARE(samples.countByKind()[0], std::uint64_t(Many));
        QVERIFY(visited(samples, 0) == added[0]);
        QVERIFY(visited(samples, 1) == added[1]);
        QVERIFY(!store->isDamaged());
    }

    void aRangeHasTheSamplesInIt()
    {
        std::vector<std::vector<HostSample>> added;
        const auto store = make(true, added);

        const auto part = visited(store->samples(), 0, range(4'000'000, 5'000'000));

        QVERIFY(part == std::vector<HostSample>(added[0].begin() + 4000, added[0].begin() + 5000));
    }

    void timeOffTheCpuIsInEachRangeThatItReachesInto()
    {
        std::vector<std::vector<HostSample>> added;
        const auto store = make(true, added);

        // Each off-CPU sample lasts 400 ns. The sample tested here lasts from 4'000'500 to 4'000'900.
        QCOMPARE(visited(store->samples(), 1, range(4'000'600, 4'000'601)).size(), std::size_t(1));
        QCOMPARE(visited(store->samples(), 1, range(4'000'899, 4'000'900)).size(), std::size_t(1));
        QCOMPARE(visited(store->samples(), 1, range(4'000'900, 4'001'500)).size(), std::size_t(0));
    }

    void aSnapshotHasWhatIsKnownSoFar()
    {
        auto builder = fileBuilder(m_files.path("growing"), at(0));
        const auto added = fill(*builder);

        const auto early = builder->snapshot(at(10));
        fill(*builder);
        const auto whole = finished(*builder, 0, 10);

        QVERIFY(visited(early->samples(), 0) == added[0]);
        QCOMPARE(early->samples().count(), 2u * Many);
        QCOMPARE(whole->samples().count(), 4u * Many);
    }

    void aStoreWithoutSamplesHasNone()
    {
        auto builder = fileBuilder(m_files.path("none"), at(0));

        const auto store = finished(*builder, 0, 1);

        QCOMPARE(store->samples().count(), std::uint64_t(0));
        QVERIFY(store->samples().kinds().empty());
        QVERIFY(visited(store->samples(), 0).empty());
    }

    void aDamagedBlockIsMissingAndReported()
    {
        QByteArray bytes = fileBytes();
        const format::Section data = sectionOf(bytes, format::SectionId::Samples);
        bytes[qsizetype(data.offset) + 100] ^= 0x10;

        const auto store = m_files.opened(bytes);

        QVERIFY(store);
        QVERIFY(!(*store)->isDamaged());
        QCOMPARE(visited((*store)->samples(), 0).size(), Many - SampleBlockSamples);
        QVERIFY((*store)->isDamaged());
    }

    void sectionsThatAreWrongAreCorrupt() { QCOMPARE(m_files.countRefused(fileBytes(), Sections), Sections.size()); }

    void hostileSectionsNeverLeadOutside()
    {
        m_files.askHostile(fileBytes(), Sections, 400, [](const Store& store) {
            for (std::uint8_t kind = 0; kind < 3; ++kind)
                for (const HostSample& sample : visited(store.samples(), kind))
                    QVERIFY(static_cast<std::size_t>(sample.stack) < store.stacks().nodes().size());
        });
    }

    void columnsOfAnyBytesAreReadOrRefused()
    {
        std::mt19937 random(3);
        std::vector<HostSample> out;
        for (int round = 0; round < 2000; ++round) {
            std::vector<std::byte> bytes(random() % 200);
            for (std::byte& byte : bytes)
                byte = std::byte(random());
            if (decodeSamples(bytes, random() % 20, SampleKindId{}, 5, out))
                for (const HostSample& sample : out)
                    QVERIFY(static_cast<std::uint32_t>(sample.stack) < 5);
        }
    }
};

HELIO_TEST(SamplesTest)
#include "tst_samples.moc"
