#include "core/trace/fields/field_ref.h"
#include "tests/core/trace/types.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::types;

namespace {

using Number = std::optional<std::int64_t>;

} // namespace

class TestFieldRef : public QObject {
    Q_OBJECT

private slots:
    void integersOfEveryWidthAndSignAreRead()
    {
        const auto payload = structure({{"u8", integer(8)},
                                        {"s8", integer(8, 8, true)},
                                        {"u16", integer(16)},
                                        {"s16", integer(16, 8, true)},
                                        {"u32", integer(32)},
                                        {"s32", integer(32, 8, true)},
                                        {"u64", integer(64)},
                                        {"s64", integer(64, 8, true)}});
        Bytes bytes;
        for (int i = 0; i < 30; ++i)
            bytes.u8({0xfe});
        const OneEvent event(payload, bytes);
        const auto read = [&](const char* name) { return FieldRef(event.type(), Section::Payload, name).integer(event.view()); };

        QCOMPARE(read("u8"), Number(0xfe));
        QCOMPARE(read("s8"), Number(-2));
        QCOMPARE(read("u16"), Number(0xfefe));
        QCOMPARE(read("s16"), Number(-258));
        QCOMPARE(read("u32"), Number(0xfefefefe));
        QCOMPARE(read("s32"), Number(std::int32_t(0xfefefefe)));
        QCOMPARE(read("u64"), Number(std::int64_t(0xfefefefefefefefe)));
        QCOMPARE(read("s64"), Number(std::int64_t(0xfefefefefefefefe)));
        QVERIFY(!FieldRef(event.type(), Section::Payload, "u8").isSigned());
        QVERIFY(FieldRef(event.type(), Section::Payload, "s8").isSigned());
    }

    void foreignByteOrderAndBitFieldsAreRead()
    {
        const auto payload = structure({{"a", integer(3, 1)}, {"b", integer(13, 1, true)}, {"c", integer(32, 8, true, ByteOrder::Big)}}, 8);
        const OneEvent event(payload, Bytes().u16(5 | 0x1ffe << 3).u8({0xff, 0xff, 0xff, 0xf0}));

        QCOMPARE(FieldRef(event.type(), Section::Payload, "a").integer(event.view()), Number(5));
        QCOMPARE(FieldRef(event.type(), Section::Payload, "b").integer(event.view()), Number(-2));
        QCOMPARE(FieldRef(event.type(), Section::Payload, "c").integer(event.view()), Number(-16));
    }

    void aFieldBeyondThePacketsEndHasNoValue()
    {
        const OneEvent event(structure({{"a", integer(32)}, {"b", integer(32)}, {"s", string()}}), Bytes().u32(1).u32(2).text("x"));
        const FieldRef b(event.type(), Section::Payload, "b");
        const FieldRef s(event.type(), Section::Payload, "s");

        QCOMPARE(b.integer(event.viewCutAt(64)), Number(2));
        QCOMPARE(b.integer(event.viewCutAt(63)), std::nullopt);
        QCOMPARE(b.integerOr(event.viewCutAt(63), -7), std::int64_t{-7});
        QCOMPARE(b.number(event.viewCutAt(63)), std::nullopt);
        QCOMPARE(s.text(event.viewCutAt(80)), std::string_view("x"));
        QCOMPARE(s.text(event.viewCutAt(79)), std::string_view());
    }

    void fieldsBehindStringsAndSequencesAreFound()
    {
        const auto payload = structure({{"name", string()},
                                        {"n", integer(8)},
                                        {"items", sequence(integer(16), {"n"})},
                                        {"in", structure({{"pid", integer(32, 8, true)}})}});
        const OneEvent event(payload, Bytes().text("bash").u8({2}).u16(1).u16(2).u32(static_cast<std::uint32_t>(-5)));

        QCOMPARE(FieldRef(event.type(), Section::Payload, "in.pid").integer(event.view()), Number(-5));
        QCOMPARE(FieldRef(event.type(), Section::Payload, "n").integer(event.view()), Number(2));
        QCOMPARE(FieldRef(event.type(), Section::Payload, "name").text(event.view()), std::string_view("bash"));
    }

    void charactersAreTextUpToTheirNul()
    {
        const auto payload = structure({{"comm", array(character(), 6)},
                                        {"full", array(character(), 3)},
                                        {"n", integer(8)},
                                        {"chars", sequence(character(), {"n"})},
                                        {"numbers", array(integer(8), 2)}});
        const OneEvent event(payload, Bytes().u8({'a', 'b', 0, 'x', 'x', 'x', 'f', 'u', 'l', 4, 's', 'e', 'q', 0, 1, 2}));
        const auto ref = [&](const char* name) { return FieldRef(event.type(), Section::Payload, name); };

        QCOMPARE(ref("comm").text(event.view()), std::string_view("ab"));
        QCOMPARE(ref("full").text(event.view()), std::string_view("ful"));
        QCOMPARE(ref("chars").text(event.view()), std::string_view("seq"));
        QVERIFY(ref("comm").isText() && ref("chars").isText());
        QVERIFY(!ref("numbers").isText());
        QVERIFY(ref("numbers").text(event.view()).empty());
        QVERIFY(ref("n").text(event.view()).empty());
        QCOMPARE(ref("comm").integer(event.view()), std::nullopt);
        QCOMPARE(ref("chars").text(event.viewCutAt(8 * 13)), std::string_view());
    }

    void theTextOfAHostileLengthIsEmpty()
    {
        const auto payload = structure({{"n", integer(64)}, {"chars", sequence(character(), {"n"})}});
        for (const std::uint64_t length : {std::uint64_t{3}, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
            const OneEvent event(payload, Bytes().u64(length).u8({'a', 'b'}));
            QVERIFY(FieldRef(event.type(), Section::Payload, "chars").text(event.view()).empty());
        }
    }

    void floatsAndIntegersAreNumbers()
    {
        const auto payload = structure({{"f", real(32)}, {"d", real(64, ByteOrder::Big)}, {"u", integer(64)}});
        const OneEvent event(payload,
                             Bytes().native(1.5F).native(__builtin_bswap64(std::bit_cast<std::uint64_t>(-0.25))).u64(~std::uint64_t{0}));
        const auto ref = [&](const char* name) { return FieldRef(event.type(), Section::Payload, name); };

        QCOMPARE(ref("f").number(event.view()), std::optional<double>(1.5));
        QCOMPARE(ref("d").number(event.view()), std::optional<double>(-0.25));
        QCOMPARE(ref("u").number(event.view()), std::optional<double>(18446744073709551616.0));
        QVERIFY(ref("f").isFloat());
        QCOMPARE(ref("f").integer(event.view()), std::nullopt);
    }

    void theOptionThatIsAbsentHasNoValue()
    {
        const auto tag = enumeration(integerType(8), {{"v4", 4, 4}, {"v6", 6, 6}});
        const auto payload = structure(
            {{"t", tag},
             {"net",
              variant(tag, {"t"},
                      {{"v4", structure({{"len", integer(8)}})}, {"v6", structure({{"len", integer(16)}, {"hop", integer(8)}})}})}});
        const OneEvent four(payload, Bytes().u8({4, 20}));
        const OneEvent six(payload, Bytes().u8({6}).u16(900).u8({64}));

        QCOMPARE(FieldRef(four.type(), Section::Payload, "net.v6.hop").integer(four.view()), std::nullopt);
        QCOMPARE(FieldRef(four.type(), Section::Payload, "net.hop").integer(four.view()), std::nullopt);
        QCOMPARE(FieldRef(four.type(), Section::Payload, "net.len").integer(four.view()), Number(20));
        QCOMPARE(FieldRef(six.type(), Section::Payload, "net.len").integer(six.view()), Number(900));
        QCOMPARE(FieldRef(six.type(), Section::Payload, "net.v6.hop").integer(six.view()), Number(64));
    }

    void everySectionIsWithinReach()
    {
        EventType type;
        type.packetHeader = structure({{"magic", integer(32)}});
        type.packetContext = structure({{"cpu_id", integer(16)}});
        type.eventHeader = structure({{"id", integer(8)}});
        type.streamContext = structure({{"comm", string()}, {"tid", integer(32)}});
        type.eventContext = structure({{"ip", integer(64)}, {"both", integer(8)}});
        type.payload = structure({{"x", integer(8)}, {"both", integer(8)}});
        OneEvent event(type, Bytes().u32(0xc1fc1fc1).u16(3).u8({9}).text("sh").u32(77).u64(0xabc).u8({1}).u8({5, 2}));
        PacketBytes packet = event.view().packet;
        event.record.headerBit = 48;
        event.record.contextOffset = 8;
        event.record.payloadOffset = 8 + 24 + 32 + 64 + 8;
        EventView view = event.view();
        packet.contextBit = 32;
        view.packet = packet;
        const auto read = [&](Section section, const char* name) { return FieldRef(event.type(), section, name).integer(view); };

        QCOMPARE(read(Section::PacketHeader, "magic"), Number(0xc1fc1fc1));
        QCOMPARE(read(Section::PacketContext, "cpu_id"), Number(3));
        QCOMPARE(read(Section::EventHeader, "id"), Number(9));
        QCOMPARE(read(Section::StreamContext, "tid"), Number(77));
        QCOMPARE(read(Section::EventContext, "ip"), Number(0xabc));
        QCOMPARE(read(Section::Payload, "x"), Number(5));
        QCOMPARE(FieldRef::find(event.type(), "both").integer(view), Number(2));
        QCOMPARE(FieldRef::find(event.type(), "ip").integer(view), Number(0xabc));
        QCOMPARE(FieldRef::find(event.type(), "comm").text(view), std::string_view("sh"));
        QVERIFY(!FieldRef::find(event.type(), "cpu_id").isValid());
    }

    void aMissingFieldIsInvalidAndHarmless()
    {
        const OneEvent event(structure({{"a", integer(8)}}), Bytes().u8({1}));
        const FieldRef none(event.type(), Section::Payload, "b");

        QVERIFY(!none.isValid());
        QVERIFY(!FieldRef(event.type(), Section::EventContext, "a").isValid());
        QCOMPARE(none.integer(event.view()), std::nullopt);
        QCOMPARE(FieldRef().number(event.view()), std::nullopt);
        QVERIFY(none.text(event.view()).empty());
        QCOMPARE(none.integerOr(event.view(), 3), std::int64_t{3});
    }
};

HELIO_TEST(TestFieldRef)
#include "tst_field_ref.moc"
