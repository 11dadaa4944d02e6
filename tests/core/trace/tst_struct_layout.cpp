#include "tests/core/trace/types.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::types;

namespace {

constexpr std::uint64_t Endless = std::uint64_t{1} << 40;

std::uint64_t readOne(std::initializer_list<unsigned> bytes, std::uint64_t bit, unsigned bits, ByteOrder order)
{
    Bytes data;
    data.u8(bytes);
    return readBits(data.packet().data, bit, bits, order);
}

/// Reference implementation of readBits(): reads one bit after the other, as the CTF specification describes.
std::uint64_t readSlowly(const std::byte* data, std::uint64_t bit, unsigned bits, ByteOrder order)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bits; ++i) {
        const std::uint64_t at = bit + i;
        const auto byte = static_cast<unsigned>(data[at / 8]);
        if (order == ByteOrder::Little)
            value |= static_cast<std::uint64_t>(byte >> (at % 8) & 1) << i;
        else
            value = value << 1 | (byte >> (7 - at % 8) & 1);
    }
    return value;
}

FieldTypePtr tagType() { return enumeration(integerType(8), {{"small", 0, 3}, {"text", 4, 4}, {"small", 9, 9}, {"_list", 7, 8}}); }

/// Returns the type: tag; variant { small: u16, text: string, list: { n; u32[n] } }; end: u8
FieldTypePtr withVariant()
{
    return structure({{"tag", tagType()},
                      {"v",
                       variant(tagType(), {"tag"},
                               {{"small", integer(16)},
                                {"text", string()},
                                {"list", structure({{"n", integer(8)}, {"items", sequence(integer(32), {"v", "list", "n"})}})}})},
                      {"end", integer(8)}});
}

} // namespace

class TestStructLayout : public QObject {
    Q_OBJECT

private slots:
    void bitFieldsFollowTheByteOrder()
    {
        QCOMPARE(readOne({0xe5}, 0, 5, ByteOrder::Little), std::uint64_t{0x05});
        QCOMPARE(readOne({0xe5}, 0, 5, ByteOrder::Big), std::uint64_t{0x1c});
        QCOMPARE(readOne({0xab, 0xcd}, 4, 8, ByteOrder::Little), std::uint64_t{0xda});
        QCOMPARE(readOne({0xab, 0xcd}, 4, 8, ByteOrder::Big), std::uint64_t{0xbc});
        QCOMPARE(readOne({0x12, 0x34, 0x56, 0x78}, 0, 32, ByteOrder::Big), std::uint64_t{0x12345678});
        QCOMPARE(readOne({0x12, 0x34, 0x56, 0x78}, 0, 32, ByteOrder::Little), std::uint64_t{0x78563412});
    }

    void everyBitFieldEqualsItsBitsOneByOne()
    {
        Bytes data;
        for (unsigned i = 0; i < 16; ++i)
            data.u8({(i * 37 + 11) % 256});
        for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
            for (std::uint64_t bit = 0; bit < 17; ++bit) {
                for (unsigned bits = 1; bits <= 64; ++bits)
                    QCOMPARE(readBits(data.packet().data, bit, bits, order), readSlowly(data.packet().data, bit, bits, order));
            }
        }
    }

    void signsExtendFromTheFieldsOwnWidth()
    {
        QCOMPARE(signExtend(0x1f, 5), std::int64_t{-1});
        QCOMPARE(signExtend(0x0f, 5), std::int64_t{15});
        QCOMPARE(signExtend(~std::uint64_t{0}, 64), std::int64_t{-1});
    }

    void constantPartsAreOneNumber()
    {
        const OneEvent event(structure({{"a", integer(8)}, {"b", integer(32)}, {"c", array(integer(16), 3)}}), {});
        const StructLayout& layout = *event.type().layout(Section::Payload);

        QVERIFY(layout.isFixed());
        QCOMPARE(layout.fixedBits(), std::uint64_t{8 + 32 + 48});
        QCOMPARE(event.end(), CutOff);
        QCOMPARE(event.end(Endless), std::uint64_t{88});
        QCOMPARE(event.end(88), std::uint64_t{88});
        QCOMPARE(event.end(87), CutOff);
    }

    void alignmentCountsFromThePacketNotFromTheSection()
    {
        const auto payload = structure({{"a", integer(8)}, {"b", integer(32, 32)}, {"c", integer(3, 1)}, {"d", integer(64, 64)}});
        OneEvent event(payload, {});
        const StructLayout& layout = *event.type().layout(Section::Payload);
        QCOMPARE(layout.alignment(), std::uint64_t{64});
        QCOMPARE(layout.alignedStart(1), std::uint64_t{64});

        event.record.headerBit = 8;

        QCOMPARE(event.end(Endless), std::uint64_t{64 + 32 + 32 + 64 + 64});
    }

    void alignmentAfterAStringDependsOnTheBytes()
    {
        const auto payload = structure({{"s", string()}, {"n", integer(32, 32)}, {"m", integer(16, 16)}});

        QCOMPARE(OneEvent(payload, Bytes().text("abc").u32(7).u16(1)).end(), std::uint64_t{80});
        QCOMPARE(OneEvent(payload, Bytes().text("").u8({0, 0, 0}).u32(7).u16(1)).end(), std::uint64_t{80});
        QCOMPARE(OneEvent(payload, Bytes().text("abcd").u8({0, 0, 0}).u32(7).u16(1)).end(), std::uint64_t{64 + 32 + 16});
        QCOMPARE(OneEvent(payload, Bytes().text("abcd").u8({0, 0, 0}).u32(7)).end(), CutOff);
    }

    void packedFieldsFollowAStringAtOnce()
    {
        const auto payload = structure({{"a", integer(32)}, {"s", string()}, {"t", string()}, {"n", integer(32)}});

        QCOMPARE(OneEvent(payload, Bytes().u32(1).text("abcd").text("x").u32(7)).end(), std::uint64_t{32 + 40 + 16 + 32});
    }

    void aStringWithoutItsNulIsCutOff()
    {
        const OneEvent event(structure({{"s", string()}}), Bytes().u8({'a', 'b', 0, 'c'}));

        QCOMPARE(event.end(), std::uint64_t{24});
        QCOMPARE(event.end(16), CutOff);
        QCOMPARE(event.end(23), CutOff);
        QCOMPARE(event.end(0), CutOff);
    }

    void aStringAfterABitFieldBeginsAtTheNextByte()
    {
        const OneEvent event(structure({{"f", integer(3, 1)}, {"s", string()}}), Bytes().u8({7}).text("a"));

        QCOMPARE(event.end(), std::uint64_t{24});
    }

    void aSequenceIsAsLongAsItsLengthSays()
    {
        const auto payload = structure({{"n", integer(16)}, {"s", sequence(integer(32), {"n"})}, {"end", integer(8)}});

        QCOMPARE(OneEvent(payload, Bytes().u16(2).u32(1).u32(2).u8({9})).end(), std::uint64_t{16 + 64 + 8});
        QCOMPARE(OneEvent(payload, Bytes().u16(0).u8({9})).end(), std::uint64_t{24});
        QCOMPARE(OneEvent(payload, Bytes().u16(3).u32(1).u32(2).u8({9})).end(), CutOff);
    }

    void elementsAreAlignedEach()
    {
        const auto element = structure({{"a", integer(32, 32)}, {"b", integer(8)}});
        const auto payload = structure({{"n", integer(8)}, {"s", sequence(element, {"n"})}, {"end", integer(8)}});
        const auto fixed = structure({{"n", integer(8)}, {"s", array(element, 3)}, {"end", integer(8)}});

        QCOMPARE(OneEvent(payload, Bytes().u32(3).u64(0).u64(0).u32(0).u16(0)).end(), std::uint64_t{32 + 64 + 64 + 40 + 8});
        QCOMPARE(OneEvent(payload, Bytes().u32(0).u8({1})).end(), std::uint64_t{40});
        QCOMPARE(OneEvent(fixed, {}).end(Endless), std::uint64_t{32 + 64 + 64 + 40 + 8});
    }

    void hostileLengthsAreRefusedAtOnce_data()
    {
        QTest::addColumn<quint64>("length");
        QTest::newRow("one too many") << quint64{5};
        QTest::newRow("all ones") << ~quint64{0};
        QTest::newRow("wraps to a small number of bits") << (quint64{1} << 59);
        QTest::newRow("the sign bit") << (quint64{1} << 63);
    }

    void hostileLengthsAreRefusedAtOnce()
    {
        QFETCH(quint64, length);
        const auto text = structure({{"t", string()}});
        const auto nested = structure({{"m", integer(8)}, {"s", sequence(integer(8), {"s", "m"})}});
        for (const auto& element : {integer(64), integer(1, 1), text, nested, sequence(integer(64), {"n"})}) {
            const auto payload = structure({{"n", integer(64)}, {"s", sequence(element, {"n"})}});
            QCOMPARE(OneEvent(payload, Bytes().u64(length).u8({0, 0, 0, 0})).end(64 + 4), CutOff);
        }
    }

    void elementsWithoutBitsNeedNoRoom()
    {
        const auto payload = structure({{"n", integer(64)}, {"s", sequence(structure({}), {"n"})}});
        const auto endOf = [&](quint64 length) { return OneEvent(payload, Bytes().u64(length)).end(); };
        QCOMPARE(endOf(5), std::uint64_t{64});
        QCOMPARE(endOf(MaxEmptyElements), std::uint64_t{64});
        QCOMPARE(endOf(MaxEmptyElements + 1), CutOff);
        QCOMPARE(endOf(~quint64{0}), CutOff);
    }

    void emptyElementsCostNoLoop()
    {
        const auto empty = structure({});
        const auto none = sequence(integer(8), {"zero"});
        const auto payload = [&](const FieldTypePtr& element) {
            return structure({{"n", integer(32)},
                              {"zero", integer(32)},
                              {"s", sequence(structure({{"a", sequence(element, {"n"})}, {"b", sequence(element, {"n"})}}), {"n"})}});
        };
        Bytes bytes = Bytes().u32(8'000'000).u32(0);
        for (int i = 0; i < 125'000; ++i)
            bytes.u64(0);

        QCOMPARE(OneEvent(payload(empty), bytes).end(), std::uint64_t{64});
        QCOMPARE(OneEvent(payload(none), bytes).end(), std::uint64_t{64});
        QCOMPARE(OneEvent(structure({{"s", array(empty, ~std::uint64_t{0})}}), {}).end(0), std::uint64_t{0});
        QCOMPARE(OneEvent(structure({{"s", array(integer(64), ~std::uint64_t{0})}}), {}).end(Endless), CutOff);
        QCOMPARE(OneEvent(structure({{"s", array(array(string(), 1u << 31), 1u << 31)}}), {}).end(0), CutOff);
    }

    void aLengthMayBeNestedOrInTheElementItself()
    {
        const auto header = structure({{"x", integer(8)}, {"n", integer(8)}});
        const auto element = structure({{"m", integer(8)}, {"t", sequence(integer(8), {"list", "m"})}});
        const auto payload = structure({{"head", header}, {"list", sequence(element, {"head", "n"})}, {"end", integer(8)}});

        QCOMPARE(OneEvent(payload, Bytes().u8({0, 3, /**/ 1, 9, /**/ 0, /**/ 2, 9, 9, /**/ 7})).end(), std::uint64_t{9 * 8});
        QCOMPARE(OneEvent(payload, Bytes().u8({0, 3, /**/ 1, 9, /**/ 0, /**/ 3, 9, 9, /**/ 7})).end(), CutOff);
    }

    void theNearestFieldOfThatNameIsTheLength()
    {
        const auto payload =
            structure({{"n", integer(8)}, {"a", sequence(integer(8), {"n"})}, {"n", integer(8)}, {"b", sequence(integer(8), {"n"})}});

        QCOMPARE(OneEvent(payload, Bytes().u8({1, 9, 2, 9, 9})).end(), std::uint64_t{40});
    }

    void fieldsOfSeveralOptionsMayBeOneLengthAndLengthsOfTheirOwn()
    {
        const auto option = [](const char* name) {
            return structure({{"n", integer(8)}, {"own", sequence(integer(8), {"v", name, "n"})}});
        };
        const auto payload = structure(
            {{"tag", tagType()},
             {"v",
              variant(tagType(), {"tag"}, {{"small", structure({{"n", integer(8)}})}, {"text", option("text")}, {"list", option("list")}})},
             {"any", sequence(integer(8), {"v", "n"})},
             {"late", sequence(integer(8), {"v", "list", "n"})},
             {"end", integer(8)}});

        QCOMPARE(OneEvent(payload, Bytes().u8({2, 3, /**/ 9, 9, 9, /**/ 9, 9, 9, /**/ 7})).end(), std::uint64_t{9 * 8});
        QCOMPARE(OneEvent(payload, Bytes().u8({4, 1, 9, /**/ 9, /**/ 9, /**/ 7})).end(), std::uint64_t{6 * 8});
        QCOMPARE(OneEvent(payload, Bytes().u8({7, 2, 9, 9, /**/ 9, 9, /**/ 9, 9, /**/ 7})).end(), std::uint64_t{9 * 8});
        QCOMPARE(OneEvent(payload, Bytes().u8({7, 2, 9, 9, /**/ 9, 9, /**/ 9, 9})).end(), CutOff);
    }

    void lengthsMayLieInEarlierSections()
    {
        EventType type;
        type.packetContext = structure({{"pad", integer(8)}, {"p", integer(8)}});
        type.eventHeader = structure({{"id", integer(16, 8, false, ByteOrder::Big)}});
        type.streamContext = structure({{"name", string()}, {"k", integer(8)}});
        type.eventContext = structure({{"e", integer(8)}});
        type.payload = structure({{"a", sequence(integer(8), {"p"}, Section::PacketContext)},
                                  {"b", sequence(integer(8), {"id"}, Section::EventHeader)},
                                  {"c", sequence(integer(8), {"k"}, Section::StreamContext)},
                                  {"d", sequence(integer(8), {"e"}, Section::EventContext)}});
        Bytes bytes = Bytes().u8({0, 1}); // The bytes of the packet context.
        bytes.u8({0, 2}).text("ab").u8({3}).u8({4});
        for (int i = 0; i < 1 + 2 + 3 + 4; ++i)
            bytes.u8({9});
        OneEvent event(type, bytes);
        event.record.headerBit = 16;
        event.record.contextOffset = 16;
        event.record.payloadOffset = 16 + 32 + 8;

        QCOMPARE(event.end(), bytes.bits());
        QCOMPARE(event.end(bytes.bits() - 8), CutOff);
    }

    void theTagChoosesTheOption()
    {
        const auto payload = withVariant();

        QCOMPARE(OneEvent(payload, Bytes().u8({2, 0, 0, 7})).end(), std::uint64_t{32});
        QCOMPARE(OneEvent(payload, Bytes().u8({9, 0, 0, 7})).end(), std::uint64_t{32});
        QCOMPARE(OneEvent(payload, Bytes().u8({4}).text("hi").u8({7})).end(), std::uint64_t{40});
        QCOMPARE(OneEvent(payload, Bytes().u8({7, 2}).u64(0).u8({7})).end(), std::uint64_t{11 * 8});
    }

    void aTagWithoutAnOptionCannotBeRead()
    {
        const OneEvent event(withVariant(), Bytes().u8({5}).u64(0).u64(0));

        QVERIFY(event.type().layout(Section::Payload)->isUsable());
        QCOMPARE(event.end(), CutOff);
    }

    void signedTagsCompareAsSigned()
    {
        const auto tag = enumeration(integerType(8, true), {{"a", -5, -1}, {"b", 0, 10}});
        // The base type is unsigned: -5 to -1 are the five largest values.
        const auto wide = enumeration(integerType(64), {{"a", -5, -1}, {"b", 0, 10}});
        const std::vector<Member> options = {{"a", integer(8)}, {"b", integer(32)}};
        const auto payload = structure({{"t", tag}, {"v", variant(tag, {"t"}, options)}});
        const auto unsignedOne = structure({{"t", wide}, {"v", variant(wide, {"t"}, options)}});

        QCOMPARE(OneEvent(payload, Bytes().u8({0xff, 1})).end(), std::uint64_t{16});
        QCOMPARE(OneEvent(payload, Bytes().u8({0x03}).u32(1)).end(), std::uint64_t{40});
        QCOMPARE(OneEvent(unsignedOne, Bytes().u64(~std::uint64_t{0}).u8({1})).end(), std::uint64_t{72});
    }

    void theCompactHeaderOfLttngIsRead()
    {
        const auto id = enumeration(integerType(5), {{"compact", 0, 30}, {"extended", 31, 31}}, 1);
        const auto header = structure({{"id", id},
                                       {"v",
                                        variant(id, {"id"},
                                                {{"compact", structure({{"timestamp", integer(27, 1)}})},
                                                 {"extended", structure({{"id", integer(32)}, {"timestamp", integer(64)}})}})}},
                                      8);
        const OneEvent compact(header, Bytes().u32(7 | 1234 << 5));
        const OneEvent extended(header, Bytes().u8({31}).u32(400).u64(99));

        QCOMPARE(compact.end(), std::uint64_t{32});
        QCOMPARE(extended.end(), std::uint64_t{8 + 32 + 64});
        const FieldLocator time = compact.type().layout(Section::Payload)->locate("v.timestamp");
        QCOMPARE(time.integer(scopeOf(compact.view())), std::optional<std::int64_t>(1234));
        const FieldLocator wide = extended.type().layout(Section::Payload)->locate("v.timestamp");
        QCOMPARE(wide.integer(scopeOf(extended.view())), std::optional<std::int64_t>(99));
        const FieldLocator only = extended.type().layout(Section::Payload)->locate("v.compact.timestamp");
        QCOMPARE(only.integer(scopeOf(extended.view())), std::nullopt);
        QCOMPARE(only.bit(scopeOf(extended.view())), CutOff);
    }

    void placesThatAreConstantAreKnownBeforehand()
    {
        const OneEvent event(structure({{"a", integer(8)},
                                        {"n", integer(32)},
                                        {"in", structure({{"x", integer(16)}, {"y", integer(16)}})},
                                        {"s", sequence(integer(8), {"n"})},
                                        {"z", integer(8)}}),
                             Bytes().u8({1}).u32(2).u16(3).u16(4).u8({9, 9, 5}));
        const StructLayout& layout = *event.type().layout(Section::Payload);

        QCOMPARE(layout.locate("in.y").constantOffset(), std::uint64_t{8 + 32 + 16});
        QCOMPARE(layout.locate("z").constantOffset(), CutOff);
        QCOMPARE(layout.locate("z").bit(scopeOf(event.view())), std::uint64_t{8 + 32 + 32 + 16});
        QCOMPARE(layout.locate("z").integer(scopeOf(event.view())), std::optional<std::int64_t>(5));
        QCOMPARE(layout.locate("z").integer(scopeOf(event.viewCutAt(90))), std::nullopt);
        QVERIFY(!layout.locate("in.z").isValid());
        QVERIFY(!layout.locate("").isValid());
        QVERIFY(!layout.locate("a.b").isValid());
    }

    void typesThatCannotBeReadAreUnusableNotFatal_data()
    {
        QTest::addColumn<int>("which");
        for (int i = 0; i < 12; ++i)
            QTest::newRow(qPrintable(QString::number(i))) << i;
    }

    void typesThatCannotBeReadAreUnusableNotFatal()
    {
        QFETCH(int, which);
        FieldTypePtr deep = integer(8);
        FieldTypePtr wide = integer(8);
        for (int i = 0; i < 1000; ++i)
            deep = structure({{"m", deep}});
        for (int i = 0; i < 40; ++i)
            wide = structure({{"l", wide}, {"r", wide}});
        const std::vector<FieldTypePtr> bad = {
            structure({{"s", sequence(integer(8), {"n"})}}),
            structure({{"s", sequence(integer(8), {"n"})}, {"n", integer(8)}}),
            structure({{"s", sequence(integer(8), {"s"})}}),
            structure({{"s", sequence(integer(8), {})}}),
            structure({{"n", string()}, {"s", sequence(integer(8), {"n"})}}),
            structure({{"n", integer(8)}, {"s", sequence(integer(8), {"n"}, Section::StreamContext)}}),
            structure({{"n", integer(8)}, {"v", variant(integer(8), {"n"}, {})}}),
            structure({{"n", integer(8)}, {"v", variant(nullptr, {"n"}, {})}}),
            structure({{"a", nullptr}}),
            structure({{"a", integer(8, 3)}}),
            deep,
            wide,
        };

        const OneEvent event(bad[static_cast<std::size_t>(which)], Bytes().u64(0));
        const StructLayout& layout = *event.type().layout(Section::Payload);

        QVERIFY(!layout.isUsable());
        QVERIFY(!layout.locate("a").isValid());
        QCOMPARE(event.end(), CutOff);
    }

    void manyTypesOfManyPartsDoNotFillTheMemory()
    {
        FieldTypePtr wide = integer(8);
        for (int i = 0; i < 14; ++i)
            wide = structure({{"l", wide}, {"r", wide}});
        EventTypes types;
        std::size_t nodes = 0;
        for (int i = 0; i < 200; ++i) {
            EventType type;
            type.payload = structure({{"w", wide}});
            nodes += types[types.add(type)].layout(Section::Payload)->nodeCount();
        }

        QVERIFY(types[EventTypeId{0}].layout(Section::Payload)->isUsable());
        QVERIFY(!types[EventTypeId{199}].layout(Section::Payload)->isUsable());
        QVERIFY(nodes <= 1'000'000);
    }

    void typesShareTheLayoutsOfWhatTheyHaveInCommon()
    {
        EventTypes types;
        EventType type;
        type.streamContext = structure({{"k", integer(8)}});
        type.payload = structure({{"a", integer(8)}});
        const EventTypeId first = types.add(type);
        type.payload = structure({{"b", integer(8)}});
        const EventTypeId second = types.add(type);

        QCOMPARE(types[first].layout(Section::StreamContext), types[second].layout(Section::StreamContext));
        QVERIFY(types[first].layout(Section::Payload) != types[second].layout(Section::Payload));
        QCOMPARE(types[first].layout(Section::EventContext), nullptr);
    }
};

HELIO_TEST(TestStructLayout)
#include "tst_struct_layout.moc"
