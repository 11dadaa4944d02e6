// 64-bit numbers, which do not fit into an interval's value: each is stored once, and invalid indices and files are handled.

#include "core/store/file/number_pool.h"
#include "tests/core/store/store_bytes.h"
#include "tests/core/store/store_contract.h"
#include "tests/support/test_program.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace helio;
using namespace helio::test;

Q_DECLARE_METATYPE(helio::test::Maker)

namespace {

constexpr std::array Integers{std::int64_t(0), std::int64_t(-1), std::int64_t(1) << 32, INT64_MIN, INT64_MAX};
constexpr std::array Reals{0.0, -0.0, 0.1, 1e308, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::infinity()};

/// Adds a track of integers and a track of doubles, each with a number every 10 ns.
void addNumbers(StoreBuilder& builder)
{
    Track track;
    track.valueKind = ValueKind::Integer;
    const TrackId integers = builder.addTrack(track);
    track.valueKind = ValueKind::Real;
    const TrackId reals = builder.addTrack(track);
    for (std::size_t i = 0; i < Integers.size(); ++i)
        builder.set(at(std::int64_t(i) * 10), integers, State{}, *builder.integer(Integers[i]));
    for (std::size_t i = 0; i < Reals.size(); ++i)
        builder.set(at(std::int64_t(i) * 10), reals, State{}, *builder.real(Reals[i]));
}

void compareNumbers(const Store& store)
{
    const auto integers = store.intervals(TrackId{0}, Always);
    const auto reals = store.intervals(TrackId{1}, Always);
    QCOMPARE(integers.size(), Integers.size());
    QCOMPARE(reals.size(), Reals.size());
    for (std::size_t i = 0; i < Integers.size(); ++i)
        QCOMPARE(store.integer(integers[i].value), std::optional(Integers[i]));
    for (std::size_t i = 0; i < Reals.size(); ++i) {
        QCOMPARE(store.real(reals[i].value), std::optional(Reals[i]));
        QCOMPARE(std::signbit(*store.real(reals[i].value)), std::signbit(Reals[i]));
    }
    for (const std::uint32_t beyond : {std::uint32_t(Integers.size() + Reals.size() + 1), std::uint32_t(UINT32_MAX)}) {
        QVERIFY(!store.integer(beyond));
        QVERIFY(!store.real(beyond));
    }
}

} // namespace

class NumbersTest : public QObject {
    Q_OBJECT

private:
    StoreFiles m_files;

    void everyMaker()
    {
        QTest::addColumn<Maker>("maker");
        QTest::newRow("memory") << Maker{"memory", makeMemoryStoreBuilder};
        QTest::newRow("file") << Maker{"file", [this](HostTimestamp begin) { return fileBuilder(m_files.path("numbers"), begin); }};
    }
    static std::unique_ptr<StoreBuilder> builder()
    {
        QFETCH(Maker, maker);
        return maker.make(at(0));
    }

private slots:
    void numbersAreWhatTheyWere_data() { everyMaker(); }
    void numbersAreWhatTheyWere()
    {
        const auto b = builder();
        addNumbers(*b);
        const auto early = b->snapshot(at(100));
        const std::uint32_t later = *b->integer(77);
        compareNumbers(*early);
        const auto store = finished(*b, 0, 100);
        QCOMPARE(store->tracks()[0].valueKind, ValueKind::Integer);
        QCOMPARE(store->tracks()[1].valueKind, ValueKind::Real);
        compareNumbers(*store);
        QVERIFY(!early->integer(later));
        QCOMPARE(store->integer(later), std::optional<std::int64_t>(77));
    }

    void theSameNumberIsKeptOnce_data() { everyMaker(); }
    void theSameNumberIsKeptOnce()
    {
        const auto b = builder();
        const std::uint32_t seven = *b->integer(7);
        const std::uint32_t half = *b->real(0.5);
        QVERIFY(seven != half);
        QCOMPARE(*b->integer(7), seven);
        QCOMPARE(*b->real(0.5), half);
        QVERIFY(*b->real(-0.0) != *b->real(0.0));
    }

    void aFullPoolKnowsWhatItHasAndTakesNothingMore()
    {
        NumberInterner numbers(100);
        for (std::uint64_t i = 0; i < 100; ++i)
            QCOMPARE(numbers.intern(i * i), std::optional(std::uint32_t(i)));
        QVERIFY(!numbers.intern(2));
        QVERIFY(!numbers.intern(3));
        QCOMPARE(numbers.intern(81), std::optional(std::uint32_t(9)));
        QCOMPARE(numbers.pool().all().size(), std::size_t(100));
    }

    void damagedNumbersAreRefused()
    {
        const auto b = fileBuilder(m_files.path("good"), at(0));
        addNumbers(*b);
        finished(*b, 0, 100);
        const QByteArray good = m_files.bytesOf("good");
        compareNumbers(**m_files.opened(good));

        QCOMPARE(m_files.countRefused(good, std::array{format::SectionId::Numbers}), std::size_t(1));
        QByteArray torn = good;
        format::Header header;
        std::memcpy(&header, torn.constData(), sizeof header);
        std::ranges::find(header.sections, format::SectionId::Numbers, &format::Section::id)->length -= 3;
        std::memcpy(torn.data(), &header, sizeof header);
        rehash(torn);
        QVERIFY(!m_files.opened(torn));
    }

    void aFileWithoutItsNumbersIsRefused()
    {
        const auto b = fileBuilder(m_files.path("whole"), at(0));
        addNumbers(*b);
        finished(*b, 0, 100);
        QByteArray bytes = m_files.bytesOf("whole");
        format::Header header;
        std::memcpy(&header, bytes.constData(), sizeof header);
        std::ranges::find(header.sections, format::SectionId::Numbers, &format::Section::id)->id = format::SectionId::None;
        std::memcpy(bytes.data(), &header, sizeof header);
        rehash(bytes);
        QVERIFY(!m_files.opened(bytes));
    }

    void hostileNumbersAreAnyNumbers()
    {
        const auto b = fileBuilder(m_files.path("hostile"), at(0));
        addNumbers(*b);
        finished(*b, 0, 100);
        const std::array ids{format::SectionId::Numbers, format::SectionId::Tracks};
        const int read = m_files.askHostile(m_files.bytesOf("hostile"), ids, 300, [](const Store& store) {
            for (std::uint32_t track = 0; track < store.tracks().size(); ++track)
                for (const HostInterval& interval : store.intervals(TrackId{track}, Always)) {
                    (void)store.integer(interval.value);
                    (void)store.real(interval.value);
                }
        });
        QVERIFY(read > 50);
    }
};

HELIO_TEST(NumbersTest)
#include "tst_numbers.moc"
