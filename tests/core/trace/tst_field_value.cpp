#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/field_value.h"
#include "tests/core/trace/types.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::types;

namespace {

std::string textOf(const std::vector<NamedValue>& values)
{
    FieldValue all;
    all.value = values;
    return displayText(all);
}

std::string payloadText(const OneEvent& event) { return textOf(decodeSection(event.view(), Section::Payload)); }
std::string payloadTextCutAt(const OneEvent& event, std::uint64_t bits)
{
    return textOf(decodeSection(event.viewCutAt(bits), Section::Payload));
}

FieldTypePtr withBase(DisplayBase base, unsigned bits, bool isSigned = false)
{
    IntegerType type = integerType(bits, isSigned);
    type.base = base;
    return make(type, 8);
}

} // namespace

class TestFieldValue : public QObject {
    Q_OBJECT

private slots:
    void everyShapeIsDecodedAndShown()
    {
        const auto payload = structure({{"u", integer(64)},
                                        {"s", integer(16, 8, true)},
                                        {"comm", array(character(), 4)},
                                        {"name", string()},
                                        {"f", real(64)},
                                        {"list", array(integer(8), 3)},
                                        {"n", integer(8)},
                                        {"items", sequence(structure({{"k", integer(8)}, {"v", string()}}), {"n"})}});
        const OneEvent event(payload,
                             Bytes()
                                 .u64(~std::uint64_t{0})
                                 .u16(static_cast<std::uint16_t>(-3))
                                 .u8({'a', 'b', 0, 'c'})
                                 .text("a b")
                                 .native(0.1)
                                 .u8({1, 2, 3, 2})
                                 .u8({7})
                                 .text("x")
                                 .u8({8})
                                 .text(""));

        QCOMPARE(payloadText(event),
                 std::string("{u=18446744073709551615,s=-3,comm=ab,name=a b,f=0.1,list=[1,2,3],n=2,items=[{k=7,v=x},{k=8,v=}]}"));
        const auto values = decodeSection(event.view(), Section::Payload);
        QVERIFY(std::holds_alternative<std::uint64_t>(values[0].value.value));
        QVERIFY(std::holds_alternative<std::int64_t>(values[1].value.value));
        QVERIFY(std::holds_alternative<std::string>(values[2].value.value));
    }

    void basesAreHonoured()
    {
        const auto payload = structure({{"h", withBase(DisplayBase::Hexadecimal, 16)},
                                        {"o", withBase(DisplayBase::Octal, 16)},
                                        {"b", withBase(DisplayBase::Binary, 8)},
                                        {"n", withBase(DisplayBase::Hexadecimal, 8, true)}});

        QCOMPARE(payloadText({payload, Bytes().u16(0xbeef).u16(0755).u8({5, 0xff})}), std::string("{h=0xbeef,o=0755,b=0b101,n=-0x1}"));
    }

    void anEnumerationListsAllItsLabels()
    {
        const auto type = enumeration(integerType(8, true), {{"low", -10, 0}, {"zero", 0, 0}, {"high", 1, 9}});
        const auto payload = structure({{"a", type}, {"b", type}, {"c", type}});
        const OneEvent event(payload, Bytes().u8({0, 0xf6, 20}));

        QCOMPARE(payloadText(event), std::string("{a=low|zero,b=low,c=20}"));
        const auto values = decodeSection(event.view(), Section::Payload);
        QCOMPARE(std::get<EnumValue>(values[1].value.value).number, std::int64_t{-10});
    }

    void aVariantIsItsChosenOption()
    {
        const auto tag = enumeration(integerType(8), {{"one", 1, 1}, {"two", 2, 2}});
        const auto payload = structure(
            {{"t", tag}, {"v", variant(tag, {"t"}, {{"one", integer(8)}, {"two", structure({{"x", integer(8)}})}})}, {"z", integer(8)}});

        QCOMPARE(payloadText({payload, Bytes().u8({1, 5, 6})}), std::string("{t=one,v=5,z=6}"));
        QCOMPARE(payloadText({payload, Bytes().u8({2, 5, 6})}), std::string("{t=two,v={x=5},z=6}"));
        QCOMPARE(payloadText({payload, Bytes().u8({3, 5, 6})}), std::string("{t=3}"));
    }

    void hiddenMembersAreSteppedOver()
    {
        const auto payload = structure({{"a", integer(8)},
                                        {"n", integer(8), true},
                                        {{}, sequence(integer(16), {"n"}), true},
                                        {{}, string(), true},
                                        {"b", integer(8)}});
        QCOMPARE(payloadText({payload, Bytes().u8({1, 2, 9, 9, 9, 9}).text("no").u8({5})}), std::string("{a=1,b=5}"));
        QCOMPARE(payloadText({payload, Bytes().u8({1, 200, 9, 9, 9, 9}).text("no").u8({5})}), std::string("{a=1}"));
    }

    void locatedFieldsAreWhereTheirWordSays()
    {
        const auto text = make(DataLocType{character(), ByteOrder::Little, false}, 8);
        const auto list = make(DataLocType{integer(16), ByteOrder::Little, true}, 8);
        const auto payload = structure({{"text", text}, {"list", list}, {"z", integer(8)}});
        const OneEvent event(payload, Bytes().u32(3u << 16 | 9).u32(4u << 16 | 4).u8({7, 'a', 'b', 0, 1, 0, 2, 0}));

        QCOMPARE(payloadText(event), std::string("{text=ab,list=[1,2],z=7}"));
        QCOMPARE(FieldRef(event.type(), Section::Payload, "text").text(event.view()), std::string_view("ab"));
        QCOMPARE(payloadText({payload, Bytes().u32(0xffffu << 16 | 9).u32(0).u8({7})}), std::string("{}"));
    }

    void whatThePacketsEndCutsOffIsLeftOut()
    {
        const auto payload = structure({{"a", integer(32)},
                                        {"in", structure({{"x", integer(8)}, {"y", integer(16)}})},
                                        {"list", array(integer(16), 2)},
                                        {"name", string()}});
        const OneEvent event(payload, Bytes().u32(1).u8({2}).u16(3).u16(4).u16(5).text("end"));

        QCOMPARE(payloadText(event), std::string("{a=1,in={x=2,y=3},list=[4,5],name=end}"));
        QCOMPARE(payloadTextCutAt(event, 112), std::string("{a=1,in={x=2,y=3},list=[4,5]}"));
        QCOMPARE(payloadTextCutAt(event, 87), std::string("{a=1,in={x=2,y=3}}"));
        QCOMPARE(payloadTextCutAt(event, 40), std::string("{a=1,in={x=2}}"));
        QCOMPARE(payloadTextCutAt(event, 31), std::string("{}"));
        QCOMPARE(payloadTextCutAt(event, 0), std::string("{}"));
    }

    void valuesEndWhereSkippingDoes()
    {
        const auto element = structure({{"f", integer(3, 1)}, {"m", integer(16, 16)}, {"t", sequence(integer(5, 1), {"list", "m"})}});
        const auto payload = structure({{"n", integer(8)}, {"list", sequence(element, {"n"})}, {"last", string()}});
        const OneEvent event(payload, Bytes().u8({2, 0, 7, 0}).u16(3).u16(0xffff).u16(7).u16(1).u8({0x15}).text("ok"));

        QVERIFY(event.end() != CutOff);
        QCOMPARE(payloadTextCutAt(event, event.end()), payloadText(event));
        QVERIFY(QByteArray::fromStdString(payloadText(event)).endsWith("last=ok}"));
        QVERIFY(!QByteArray::fromStdString(payloadTextCutAt(event, event.end() - 1)).contains("last"));
    }

    void hostileLengthsGiveNoValues_data()
    {
        QTest::addColumn<quint64>("length");
        for (const quint64 length : {quint64{65}, quint64{1} << 32, quint64{1} << 61, ~quint64{0}})
            QTest::newRow(qPrintable(QString::number(length))) << length;
    }

    void hostileLengthsGiveNoValues()
    {
        QFETCH(quint64, length);
        for (const auto& element : {integer(8), integer(1, 1), string(), character()}) {
            const auto payload = structure({{"n", integer(64)}, {"s", sequence(element, {"n"})}});
            const auto values = decodeSection(OneEvent(payload, Bytes().u64(length).u64(0)).view(), Section::Payload);
            QCOMPARE(values.size(), std::size_t{1});
        }
    }

    void emptyElementsInEmptyElementsAreGivenUp()
    {
        const auto inner = sequence(structure({}), {"n"});
        const auto payload = structure({{"n", integer(32)}, {"s", sequence(structure({{"a", inner}}), {"n"})}});
        Bytes bytes = Bytes().u32(100'000);
        for (int i = 0; i < 2000; ++i)
            bytes.u64(0);

        const auto values = decodeSection(OneEvent(payload, bytes).view(), Section::Payload);

        QCOMPARE(values.size(), std::size_t{2});
        QVERIFY(std::get<std::vector<FieldValue>>(values[1].value.value).size() < 100);
    }

    void contextsComeStreamFirst()
    {
        EventType type;
        type.streamContext = structure({{"comm", string()}, {"tid", integer(8)}});
        type.eventContext = structure({{"ip", integer(16)}});
        type.payload = structure({{"x", integer(8)}});
        OneEvent event(type, Bytes().text("sh").u8({7}).u16(300).u8({1}));
        event.record.payloadOffset = 24 + 8 + 16;

        QCOMPARE(textOf(decodeContext(event.view())), std::string("{comm=sh,tid=7,ip=300}"));
        QCOMPARE(payloadText(event), std::string("{x=1}"));
        QCOMPARE(textOf(decodeContext(event.viewCutAt(20))), std::string("{}"));
        QVERIFY(decodeSection(event.view(), Section::PacketContext).empty());
    }

    void aContextAloneIsFoundWithoutAStreamContext()
    {
        EventType type;
        type.eventContext = structure({{"ip", integer(16)}});
        type.payload = structure({});
        OneEvent event(type, Bytes().u16(300));
        event.record.payloadOffset = 16;

        QCOMPARE(textOf(decodeContext(event.view())), std::string("{ip=300}"));
        QVERIFY(decodeSection(event.view(), Section::Payload).empty());
    }
};

HELIO_TEST(TestFieldValue)
#include "tst_field_value.moc"
