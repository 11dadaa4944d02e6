#include "core/experiment/timeline.h"
#include "core/query/events/event_words.h"
#include "core/query/filters/expression.h"
#include "tests/support/made_timeline.h"
#include "tests/support/made_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstring>

using namespace helio;

namespace {

FieldTypePtr integerType(std::uint8_t bits, bool isSigned)
{
    IntegerType type;
    type.bits = bits;
    type.isSigned = isSigned;
    return std::make_shared<const FieldType>(FieldType{8, type});
}

FieldTypePtr make(auto shape) { return std::make_shared<const FieldType>(FieldType{8, std::move(shape)}); }

FieldTypePtr stateType()
{
    EnumType type;
    type.container.bits = 8;
    type.ranges = {{"RUNNING", 0, 0}, {"ASLEEP", 1, 2}, {"SLEEPING", 1, 1}};
    return make(type);
}

/// A trace with two event types: "switch" has fields of every kind, "other" has none.
class TwoTypesTrace final : public MadeTrace {
public:
    TwoTypesTrace()
    {
        EventType full;
        full.name = "sched_switch";
        full.eventContext = make(StructType{{{"procname", make(StringType{})}, {"tid", integerType(32, true)}}});
        full.payload = make(StructType{{{"comm", make(StringType{})},
                                        {"small", integerType(32, true)},
                                        {"large", integerType(64, false)},
                                        {"state", stateType()},
                                        {"ratio", make(FloatType{})},
                                        {"inner", make(StructType{{{"depth", integerType(8, false)}}})},
                                        {"tid", integerType(32, true)}}});
        m_types.add(std::move(full));
        EventType other;
        other.name = "other_event";
        m_types.add(std::move(other));
        m_info.clock.isAbsolute = true;
    }
};

/// Writer of the bytes of one event, in the layout of the event types above.
class Bytes {
public:
    void text(const char* value) { m_bytes.insert(m_bytes.end(), value, value + std::strlen(value) + 1); }
    template <typename T> void number(T value)
    {
        const std::size_t at = m_bytes.size();
        m_bytes.resize(at + sizeof value);
        std::memcpy(m_bytes.data() + at, &value, sizeof value);
    }
    std::size_t size() const { return m_bytes.size(); }
    PacketBytes packet() const { return {reinterpret_cast<const std::byte*>(m_bytes.data()), m_bytes.size() * 8, 0}; }

private:
    std::vector<char> m_bytes;
};

} // namespace

class EventMatcherTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        addTrace(m_timeline, {nullptr, std::make_shared<TwoTypesTrace>(), ClockTransform(Duration(1'000)), "web"});
        m_timeline.range = {timestamp(500), timestamp(2'000'000'000'000)};
        m_bytes.text("bash");
        m_bytes.number(std::int32_t(77));
        m_record.payloadOffset = static_cast<std::uint32_t>(m_bytes.size() * 8);
        m_bytes.text("worker-0");
        m_bytes.number(std::int32_t(-5));
        m_bytes.number(std::uint64_t(18'446'744'073'709'551'615u));
        m_bytes.number(std::uint8_t(1));
        m_bytes.number(2.5);
        m_bytes.number(std::uint8_t(200));
        m_bytes.number(std::int32_t(33));
        m_record.time = hostTime(1'500'000'499'500);
        m_record.cpu = 3;
    }

    void anEventIsJudged_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("expected");
        const auto row = [](const char* text, bool expected) { QTest::newRow(text) << QByteArray(text) << expected; };
        row("name == \"sched_switch\"", true);
        row("name != \"sched_switch\"", false);
        row("name =~ \"^sched\"", true);
        row("name contains \"_sw\"", true);
        row("host == \"web\"", true);
        row("host != \"web\"", false);
        row("cpu == 3", true);
        row("cpu > 3", false);
        row("comm == \"worker-0\"", true);
        row("comm < \"x\"", true);
        row("comm =~ \"-[0-9]$\"", true);
        row("comm == 5", false);
        row("small == -5", true);
        row("small < 0", true);
        row("small < -4.5", true);
        row("small == 18446744073709551611", false);
        row("small == \"-5\"", false);
        row("large == 18446744073709551615", true);
        row("large == 0xffffffffffffffff", true);
        row("large > 9223372036854775807", true);
        row("large == -1", false);
        row("large == 18446744073709551616.0", false);
        row("fields.state == \"SLEEPING\"", true);
        row("fields.state == \"ASLEEP\"", true);
        row("fields.state == \"RUNNING\"", false);
        row("fields.state != \"RUNNING\"", true);
        row("fields.state != \"ASLEEP\"", false);
        row("fields.state =~ \"^SLEEP\"", true);
        row("fields.state == 1", true);
        row("state == \"SLEEPING\"", false);
        row("ratio == 2.5", true);
        row("ratio > 2", true);
        row("inner.depth == 200", true);
        row("fields.inner.depth >= 201", false);
        row("procname == \"bash\"", true);
        row("context.procname == \"bash\"", true);
        row("fields.procname == \"bash\"", false);
        row("context.comm == \"worker-0\"", false);
        row("thread == \"bash\"", true);
        row("thread != \"bash\"", false);
        row("thread =~ \"^b\"", true);
        row("tid == 77", true);
        row("fields.tid == 33", true);
        row("context.tid == 77", true);
        row("pid == 77", false);
        row("missing == 1", false);
        row("missing != 1", false);
        row("!(missing == 1)", true);
        row("missing == 1 || cpu == 3", true);
        row("time == 1500000500500", true);
        row("time >= +1500s && time < +1500.000000001s", false);
        row("time == +1500.0000005s", false);
        row("time >= +1500s", true);
        row("time < +1501s", true);
        row("small < 10us", true);
        row("Worker", true);
        row("SWITCH", true);
        row("bash", true);
        row("nothing", false);
        row("\"er-0\"", true);
    }
    void anEventIsJudged()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, expected);
        const auto matcher = matcherOf(text);
        EventView event;
        event.record = &m_record;
        event.type = &m_timeline.traces[0].trace->eventTypes()[EventTypeId{0}];
        event.packet = m_bytes.packet();

        QCOMPARE(matcher->matches(event), expected);
        QVERIFY(!expected || matcher->canMatch(EventTypeId{0}));
    }

    void aTypeThatCannotMatchIsKnownAtOnce_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("full");
        QTest::addColumn<bool>("other");
        QTest::newRow("name") << QByteArray("name == \"sched_switch\" && cpu == 3") << true << false;
        QTest::newRow("missing field") << QByteArray("comm == \"x\"") << true << false;
        QTest::newRow("wrong kind") << QByteArray("comm == 5") << false << false;
        QTest::newRow("not") << QByteArray("!(name == \"sched_switch\")") << false << true;
        QTest::newRow("or") << QByteArray("name == \"other_event\" || comm == \"x\"") << true << true;
        QTest::newRow("word") << QByteArray("other") << true << true;
        QTest::newRow("host") << QByteArray("host == \"db\"") << false << false;
    }
    void aTypeThatCannotMatchIsKnownAtOnce()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, full);
        QFETCH(bool, other);
        const auto matcher = matcherOf(text);

        QCOMPARE(matcher->canMatch(EventTypeId{0}), full);
        QCOMPARE(matcher->canMatch(EventTypeId{1}), other);
        QVERIFY(!matcher->canMatch(EventTypeId{7}));
    }

    void wordsThatMeanNothingForEventsAreSaid_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QStringList>("said");
        QTest::addColumn<bool>("canMatch");
        const QString state = "state applies to threads and CPUs, not to events; for an event field of this name use fields.state";
        const QString duration = "duration applies to states, not to events; for an event field of this name use fields.duration";
        const auto row = [](const char* text, const QStringList& said, bool canMatch) {
            QTest::newRow(text) << QByteArray(text) << said << canMatch;
        };
        row("comm == \"x\" && fields.state == 1 && inner.depth == 2 && context.procname == \"x\" && tid == 1 && cpu == 2 && word", {},
            true);
        row("state == \"preempted\"", {state}, false);
        row("state == \"blocked\" && duration > 10ms", {state, duration}, false);
        row("bogus_field == 5", {"no event has a field \"bogus_field\""}, false);
        row("bogus_field == 5 || cpu == 1 || bogus_field == 6", {"no event has a field \"bogus_field\""}, true);
        row("context.comm == \"x\"", {"no event has a context \"comm\""}, false);
        row("name == \"sched_swich\"", {"no event is named \"sched_swich\""}, false);
        row("name != \"sched_swich\"", {}, true);
    }
    void wordsThatMeanNothingForEventsAreSaid()
    {
        QFETCH(QByteArray, text);
        QFETCH(QStringList, said);
        QFETCH(bool, canMatch);
        const auto expression = Expression::parse(text.toStdString());
        QVERIFY(expression);

        QStringList words;
        for (const std::string& word : findMeaninglessWords(**expression, m_timeline))
            words << QString::fromStdString(word);
        QCOMPARE(words, said);
        QCOMPARE(canMatchEvents(*expression, m_timeline), canMatch);
    }

    void anEventThatIsCutOffMatchesOnlyWhatIsThere()
    {
        const auto matcher = matcherOf("large > 0 || inner.depth > 0 || fields.state == \"ASLEEP\"");
        EventView event;
        event.record = &m_record;
        event.type = &m_timeline.traces[0].trace->eventTypes()[EventTypeId{0}];
        event.packet = m_bytes.packet();
        event.packet.contentBits = m_record.payloadOffset + 9 * 8 + 32;

        QVERIFY(!matcher->matches(event));
        QVERIFY(matcherOf("comm == \"worker-0\"")->matches(event));
    }

private:
    std::unique_ptr<EventMatcher> matcherOf(const QByteArray& text)
    {
        auto expression = Expression::parse(text.toStdString());
        return expression ? EventMatcher::make(*expression, m_timeline, 0) : nullptr;
    }

    Timeline m_timeline;
    Bytes m_bytes;
    EventRecord m_record;
};

HELIO_TEST(EventMatcherTest)
#include "tst_event_matcher.moc"
