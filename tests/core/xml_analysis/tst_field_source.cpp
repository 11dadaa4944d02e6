#include "core/xml_analysis/running/attribute_tree.h"
#include "core/xml_analysis/running/field_source.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstring>

using namespace helio;
using namespace helio::xml;

namespace {

FieldTypePtr integerType(int bits, bool isSigned)
{
    return std::make_shared<const FieldType>(FieldType{8, IntegerType{static_cast<std::uint8_t>(bits), isSigned}});
}
FieldTypePtr structType(std::vector<Member> members)
{
    return std::make_shared<const FieldType>(FieldType{8, StructType{std::move(members)}});
}
FieldTypePtr enumType(bool isSigned, std::vector<EnumRange> ranges)
{
    return std::make_shared<const FieldType>(FieldType{8, EnumType{IntegerType{8, isSigned}, std::move(ranges)}});
}
FieldTypePtr textArray(std::uint64_t length)
{
    IntegerType letter{8, false};
    letter.encoding = TextEncoding::Utf8;
    return std::make_shared<const FieldType>(FieldType{8, ArrayType{std::make_shared<const FieldType>(FieldType{8, letter}), length}});
}

/// An event of one type with the given payload bytes.
class OneEvent {
public:
    OneEvent(FieldTypePtr payload, std::vector<std::uint8_t> bytes, const std::string& name = "e")
        : m_bytes(std::move(bytes))
    {
        EventType type;
        type.name = name;
        type.payload = std::move(payload);
        m_id = m_types.add(std::move(type));
        m_record.type = m_id;
        m_record.time = hostTime(5);
        m_record.cpu = -1;
    }

    /// Returns type and value of a field, as "TYPE VALUE" or "null".
    std::string field(std::string_view name)
    {
        Texts texts;
        const FieldSource source(m_types[m_id], name, texts.idOf(std::string_view("host")));
        const EventView event{&m_record, &m_types[m_id], {reinterpret_cast<const std::byte*>(m_bytes.data()), m_bytes.size() * 8, 0}, 0};
        const Value value = source.read(event, texts);
        constexpr const char* Names[] = {"", "int ", "long ", "double ", "string "};
        return Names[static_cast<std::size_t>(value.type())] + texts.printed(value);
    }

    /// Returns the value of the field as it is shown to the user.
    std::string shown(std::string_view name)
    {
        Texts texts;
        const EventView event{&m_record, &m_types[m_id], {reinterpret_cast<const std::byte*>(m_bytes.data()), m_bytes.size() * 8, 0}, 0};
        return texts.shown(FieldSource(m_types[m_id], name, 0).read(event, texts));
    }

private:
    EventTypes m_types;
    EventTypeId m_id{};
    EventRecord m_record;
    std::vector<std::uint8_t> m_bytes;
};

} // namespace

class FieldSourceTest : public QObject {
    Q_OBJECT

private slots:
    void numbersAreShownAsTheTraceSays()
    {
        const auto typeOf = [](int bits, bool isSigned, DisplayBase base) {
            return std::make_shared<const FieldType>(
                FieldType{8, IntegerType{static_cast<std::uint8_t>(bits), isSigned, ByteOrder::Little, base}});
        };
        std::vector<std::uint8_t> bytes(8, 0xff);
        bytes.insert(bytes.end(), {0x40, 0xe6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x2a, 0xff});
        OneEvent event(structType({{"u", typeOf(64, false, DisplayBase::Decimal)},
                                   {"a", typeOf(64, false, DisplayBase::Hexadecimal)},
                                   {"h", typeOf(8, false, DisplayBase::Hexadecimal)},
                                   {"s", typeOf(8, true, DisplayBase::Decimal)}}),
                       bytes);
        QCOMPARE(event.shown("u"), std::string("18446744073709551615"));
        QCOMPARE(event.shown("a"), std::string("0xffffffffffffe640"));
        QCOMPARE(event.shown("h"), std::string("0x2a"));
        QCOMPARE(event.shown("s"), std::string("-1"));
        // Rules get the value as the XML analysis format defines it: a signed 64-bit integer ("long"), however the field is shown.
        QCOMPARE(event.field("u"), std::string("long -1"));
        QCOMPARE(event.field("h"), std::string("long 42"));
    }

    // LTTng records the address arguments of system calls as decimal numbers.
    void addressesAreShownInHexDigits()
    {
        OneEvent event(structType({{"uaddr", integerType(64, false)}, {"uaddr2", integerType(32, false)}, {"op", integerType(64, false)}}),
                       {0xd8, 0xc3, 0xb2, 0xa1, 0xd0, 0x55, 0, 0, 0x40, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0}, "syscall_entry_futex");
        QCOMPARE(event.shown("uaddr"), std::string("0x55d0a1b2c3d8"));
        QCOMPARE(event.field("uaddr"), std::string("long 94354554405848")); // Rules get the number, not the hexadecimal text.
        QCOMPARE(event.shown("uaddr2"), std::string("64")); // An integer of 32 bits is not treated as an address.
        QCOMPARE(event.shown("op"), std::string("7"));
    }

    // Fields of scheduler events have other names in perf and ftrace than in LTTng, for which analysis files are written.
    void threadsOfTheSchedulerHaveEitherName()
    {
        const auto fields = [](const char* first, const char* second) {
            return structType({{first, integerType(8, true)}, {second, integerType(8, true)}});
        };
        OneEvent perf(fields("prev_pid", "next_pid"), {1, 2}, "sched:sched_switch");
        QCOMPARE(perf.field("next_tid"), std::string("long 2"));
        QCOMPARE(perf.field("prev_tid"), std::string("long 1"));
        QCOMPARE(perf.field("next_pid"), std::string("long 2"));
        QCOMPARE(perf.field("next_prio"), std::string("null"));
        OneEvent waking(fields("pid", "prio"), {3, 4}, "sched_waking");
        QCOMPARE(waking.field("tid"), std::string("long 3"));
        OneEvent lttng(fields("child_tid", "child_pid"), {5, 6}, "sched_process_fork");
        QCOMPARE(lttng.field("child_tid"), std::string("long 5")); // The event has both fields; the literal name is preferred.
        OneEvent other(fields("next_pid", "pid"), {7, 8}, "app:switch");
        QCOMPARE(other.field("next_tid"), std::string("null"));
        OneEvent nameless(fields("a", "b"), {7, 8}, "sched_switch");
        QCOMPARE(nameless.field("next_tid"), std::string("null"));
    }

    void attributesAreCalledAsTheirValuesAreShown()
    {
        struct IgnoringListener : TreeListener {
            void onNew(Quark) override { }
            void onChange(HostTimestamp, Quark, const Value&) override { }
        } listener;
        Texts texts;
        StepBudget effort;
        AttributeTree tree(texts, listener, effort);
        const Value address = Value::ofLong(0x55d0a1b2c3d8, IntegerNotation::Hex);
        const Quark made = tree.child(Root, texts.idOf(address), &address);
        QCOMPARE(tree.label(made), std::string("0x55d0a1b2c3d8"));
        // The name of the attribute is decimal, although its label is hexadecimal: events with a decimal field of this value must find the
        // same attribute.
        QCOMPARE(texts[tree.name(made)], std::string_view("94354554405848"));
        QCOMPARE(tree.child(Root, texts.idOf(std::int64_t(94354554405848))), made);
        QVERIFY(Value::ofLong(0x55d0a1b2c3d8) == address);
    }

    void integersAreLongs()
    {
        OneEvent event(
            structType(
                {{"a", integerType(8, true)}, {"b", integerType(8, false)}, {"c", integerType(16, true)}, {"d", integerType(64, false)}}),
            {0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
        QCOMPARE(event.field("a"), std::string("long -1"));
        QCOMPARE(event.field("b"), std::string("long 255"));
        QCOMPARE(event.field("c"), std::string("long -2"));
        QCOMPARE(event.field("d"), std::string("long -1")); // An unsigned value above the range of long wraps around.
    }

    void enumerationsAreTheirLabels()
    {
        const std::vector<EnumRange> ranges{{"zero", 0, 0}, {"few", 1, 3}, {"same", 2, 2}, {"minus", -2, -2}};
        OneEvent event(structType({{"a", enumType(true, ranges)},
                                   {"b", enumType(true, ranges)},
                                   {"c", enumType(true, ranges)},
                                   {"d", enumType(true, ranges)},
                                   {"e", enumType(false, {{"high", 200, 255}})}}),
                       {0, 2, 7, 0xfe, 0xfa});
        QCOMPARE(event.field("a"), std::string("string zero"));
        QCOMPARE(event.field("b"), std::string("string few")); // The first label whose range contains the value is used.
        QCOMPARE(event.field("c"), std::string("long 7")); // No label contains the value.
        QCOMPARE(event.field("d"), std::string("string minus"));
        QCOMPARE(event.field("e"), std::string("string high"));
    }

    void pathsLeadIntoStructures()
    {
        OneEvent event(
            structType({{"outer", structType({{"x", integerType(8, false)}, {"inner", structType({{"y", integerType(8, false)}})}})}}),
            {3, 4});
        QCOMPARE(event.field("outer.x"), std::string("long 3"));
        QCOMPARE(event.field("outer.inner.y"), std::string("long 4"));
        QCOMPARE(event.field("outer.z"), std::string("null"));
        QCOMPARE(event.field("outer"), std::string("null"));
        QCOMPARE(event.field("x"), std::string("null"));
        QCOMPARE(event.field(""), std::string("null"));
        QCOMPARE(event.field("."), std::string("null"));
    }

    void charactersAreText()
    {
        OneEvent event(structType({{"comm", textArray(6)}, {"s", std::make_shared<const FieldType>(FieldType{8, StringType{}})}}),
                       {'s', 'h', 0, 'x', 'x', 'x', 'a', 'b', 0});
        QCOMPARE(event.field("comm"), std::string("string sh"));
        QCOMPARE(event.field("s"), std::string("string ab"));
    }

    void floatsAreDoubles()
    {
        std::vector<std::uint8_t> bytes(12);
        const double real = 2.5;
        const float half = 0.5f;
        std::memcpy(bytes.data(), &real, 8);
        std::memcpy(bytes.data() + 8, &half, 4);
        OneEvent event(structType({{"d", std::make_shared<const FieldType>(FieldType{8, FloatType{64}})},
                                   {"f", std::make_shared<const FieldType>(FieldType{8, FloatType{32}})}}),
                       bytes);
        QCOMPARE(event.field("d"), std::string("double 2.5"));
        QCOMPARE(event.field("f"), std::string("double 0.5"));
    }

    void arraysOfNumbersAreNothing()
    {
        OneEvent event(structType({{"a", std::make_shared<const FieldType>(FieldType{8, ArrayType{integerType(8, false), 3}})}}),
                       {1, 2, 3});
        QCOMPARE(event.field("a"), std::string("null"));
    }

    void whatTheEventWasCutOffFromIsNull()
    {
        OneEvent event(structType({{"a", integerType(8, false)}, {"b", integerType(64, false)}, {"e", enumType(false, {{"x", 0, 255}})}}),
                       {1, 2});
        QCOMPARE(event.field("a"), std::string("long 1"));
        QCOMPARE(event.field("b"), std::string("null"));
        QCOMPARE(event.field("e"), std::string("null"));
    }

    void whatEveryEventHas()
    {
        OneEvent event(nullptr, {});
        QCOMPARE(event.field("timestamp"), std::string("long 5"));
        QCOMPARE(event.field("cpu"), std::string("null")); // The event has no CPU.
        QCOMPARE(event.field("hostID"), std::string("string host"));
        QCOMPARE(event.field("Event Type"), std::string("string e"));
        QCOMPARE(event.field("tid"), std::string("null"));
    }
};

HELIO_TEST(FieldSourceTest)

#include "tst_field_source.moc"
