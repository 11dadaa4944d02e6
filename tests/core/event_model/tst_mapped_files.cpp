// Property: lookups of addresses in mappings equal a scan of all mappings.

#include "core/event_model/mapped_files.h"
#include "tests/support/dice.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace helio;

namespace {

struct Mapped {
    std::int32_t pid;
    std::uint64_t begin, size;
    std::int64_t from, to;
    ModuleId module;
};

/// Returns the mappings of the address that exist at time `at`, else the next later ones, else the last earlier ones. Empty if the address
/// was never mapped.
std::vector<const Mapped*> plainFind(const std::vector<Mapped>& all, std::int32_t pid, std::uint64_t address, std::int64_t at)
{
    std::vector<const Mapped*> there, later, gone;
    for (const Mapped& it : all) {
        if (it.pid != pid || address < it.begin || address - it.begin >= it.size)
            continue;
        (it.from > at ? later : it.to < at ? gone : there).push_back(&it);
    }
    if (!there.empty())
        return there;
    const auto keepBest = [](std::vector<const Mapped*>& some, auto distance) {
        std::int64_t best = INT64_MAX;
        for (const Mapped* it : some)
            best = std::min(best, distance(*it));
        std::erase_if(some, [&](const Mapped* it) { return distance(*it) != best; });
        return some;
    };
    if (!later.empty())
        return keepBest(later, [at](const Mapped& it) { return it.from - at; });
    return keepBest(gone, [at](const Mapped& it) { return at - it.to; });
}

} // namespace

class MappedFilesTest : public QObject {
    Q_OBJECT

private slots:
    void nothingIsMappedWithoutAStore()
    {
        const auto place = MappedFiles().find({0, 1}, 1234, hostTime(5));
        QCOMPARE(place.module, UnknownModule);
        QCOMPARE(place.address, std::uint64_t(1234));
        QCOMPARE(place.until, HostTimestamp::max());
    }

    void anyMappings_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 20; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void anyMappings()
    {
        QFETCH(int, seed);
        Dice dice(static_cast<quint64>(seed));
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        const SegmentKindId kind = *builder->segments().addKind({std::string(MappingSegments), "Mapped"});
        std::vector<TrackId> processes;
        for (std::int32_t pid = 0; pid < 3; ++pid) {
            Track track;
            track.pid = pid;
            processes.push_back(builder->addTrack(track));
        }
        std::vector<Mapped> all;
        const std::uint64_t places = seed % 2 == 0 ? 500 : 3; // A small number of addresses, so that they are used again.
        for (int i = 0; i < 60; ++i) {
            const auto from = static_cast<std::int64_t>(dice.below(1000));
            Mapped it{std::int32_t(dice.below(3)), dice.below(places), 1 + dice.below(100), from, from + std::int64_t(dice.below(300)), {}};
            Module module;
            module.kind = Module::Kind::File;
            module.path = "/lib/" + std::to_string(i);
            module.begin = it.begin;
            module.size = it.size;
            it.module = builder->modules().add(module);
            builder->segments().add(
                {hostTime(it.from), hostTime(it.to), std::int64_t(it.module), StringId{}, processes[std::size_t(it.pid)], kind});
            all.push_back(it);
        }
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(2000)};
        const auto store = *builder->finish(summary);

        const MappedFiles files(*store);
        for (int i = 0; i < 2000; ++i) {
            const auto pid = std::int32_t(dice.below(4));
            const std::uint64_t address = dice.below(places + 150);
            const auto at = std::int64_t(dice.below(1500));
            const auto expected = plainFind(all, pid, address, at);
            const auto found = files.find({0, pid}, address, hostTime(at));
            if (expected.empty()) {
                QCOMPARE(found.module, UnknownModule);
                QCOMPARE(found.address, address);
                continue;
            }
            const auto isIt = [&](const Mapped* it) { return it->module == found.module && address - it->begin == found.address; };
            QVERIFY(std::ranges::any_of(expected, isIt));
            for (std::int64_t later = at; later < 1500 && hostTime(later) < found.until; later += 7)
                QVERIFY(std::ranges::any_of(plainFind(all, pid, address, later), isIt));
            QVERIFY(found.until > hostTime(at));
        }
    }

    void howOftenAPlaceWasUsedCostsNothing()
    {
        constexpr int Lives = 100'000;
        std::vector<ModuleMapping> all;
        // Short mappings follow each other, with different sizes. In addition, there are long mappings: each long mapping lies within the
        // time range of the long mapping before, because it begins later and ends earlier.
        for (int i = 0; i < Lives; ++i) {
            const auto size = static_cast<std::uint64_t>(1000 + i % 100);
            all.push_back({5000, 5000 + size, {hostTime(10 * i), hostTime(10 * i + 5)}, ModuleId(std::uint32_t(1 + i))});
            all.push_back({5000, 5000 + size, {hostTime(i - Lives), hostTime(20 * Lives - i)}, ModuleId(std::uint32_t(1 + Lives + i))});
        }
        const MappingTimeline lives(std::move(all));
        for (int i = 0; i < Lives; ++i) {
            // at() returns the mapping that began last among all mappings that contain the time.
            QCOMPARE(lives.at(5500, hostTime(10 * i + 2))->module, ModuleId(std::uint32_t(1 + i)));
            QCOMPARE(lives.at(5500, hostTime(19 * Lives + i))->life.end, hostTime(19 * Lives + i + (i == 0 ? 1 : 0)));
            QVERIFY(!lives.at(4999, hostTime(i)) && !lives.at(6100, hostTime(i)));
        }
        QVERIFY(!lives.at(5500, hostTime(20 * Lives + 1)));
        QCOMPARE(lives.before(5500, hostTime(20 * Lives + 1))->life.end, hostTime(20 * Lives));
        QVERIFY(!lives.after(5500, hostTime(20 * Lives)));
    }

    void sizesBeyondTheAddressSpaceAreCut()
    {
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        const SegmentKindId kind = *builder->segments().addKind({std::string(MappingSegments), "Mapped"});
        const TrackId process = builder->addTrack({});
        Module module;
        module.begin = ~std::uint64_t{0} - 10;
        module.size = ~std::uint64_t{0};
        const auto id = std::int64_t(builder->modules().add(module));
        builder->segments().add({hostTime(0), hostTime(10), id, StringId{}, process, kind});
        builder->segments().add({hostTime(0), hostTime(10), 77, StringId{}, process, kind}); // The store has no module 77.
        const auto store = *builder->finish({});
        QCOMPARE(std::int64_t(MappedFiles(*store).find({0, -1}, ~std::uint64_t{0} - 5, hostTime(5)).module), id);
    }
};

HELIO_TEST(MappedFilesTest)
#include "tst_mapped_files.moc"
