#include "core/event_model/context_cache.h"
#include "core/trace/trace.h"
#include "tests/core/trace/types.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstring>
#include <map>
#include <string>

using namespace helio;

namespace {

struct Thread {
    std::uint64_t contextReadNumber = 0;
};

/// Returns event types with the given context members, one event type per element of `contexts`.
EventTypes typesOf(const std::vector<std::vector<Member>>& contexts)
{
    EventTypes types;
    for (const std::vector<Member>& members : contexts) {
        EventType type;
        type.streamContext = types::structure(members);
        types.add(std::move(type));
    }
    return types;
}

std::vector<ThreadFields> fieldsOf(const EventTypes& types)
{
    std::vector<ThreadFields> fields;
    for (const auto& type : types)
        fields.emplace_back(*type);
    return fields;
}

/// An event that consists only of its context.
class Event {
public:
    Event(std::uint32_t stream, std::uint32_t type, const std::vector<std::uint32_t>& numbers, const char* name = nullptr)
    {
        for (const std::uint32_t number : numbers) {
            m_bytes.resize(m_bytes.size() + sizeof number);
            std::memcpy(m_bytes.data() + m_bytes.size() - sizeof number, &number, sizeof number);
        }
        if (name)
            for (std::size_t i = 0; i < 17; ++i)
                m_bytes.push_back(std::byte(i < std::strlen(name) ? name[i] : 0));
        m_record.type = EventTypeId{type};
        m_stream = stream;
    }

    EventView view() const { return {&m_record, nullptr, {m_bytes.data(), m_bytes.size() * 8, 0}, m_stream}; }
    void cut() { m_bytes.pop_back(); }

private:
    std::vector<std::byte> m_bytes;
    EventRecord m_record;
    std::uint32_t m_stream = 0;
};

const Member Tid{"vtid", types::integer(32)};
const Member Pid{"vpid", types::integer(32)};
const Member Other{"ip", types::integer(32)};
const Member Name{"procname", types::array(types::character(), 17)};

} // namespace

class KnownContextsTest : public QObject {
    Q_OBJECT

private slots:
    void aThreadIsKnownAsLongAsItsContextStaysTheSame()
    {
        const EventTypes types = typesOf({{Tid, Name}});
        ContextCache<Thread> known(fieldsOf(types));
        Thread thread;
        const Event event(3, 0, {5}, "a");
        QVERIFY(!known.find(event.view()));
        known.set(event.view(), thread);
        QCOMPARE(known.find(Event(3, 0, {5}, "a").view()), &thread);
        QVERIFY(!known.find(Event(3, 0, {6}, "a").view()));
        QVERIFY(!known.find(Event(3, 0, {5}, "b").view()));
        QVERIFY(!known.find(Event(2, 0, {5}, "a").view())); // The context is not found, because this event is of another stream.
        QVERIFY(!known.find(Event(9, 0, {5}, "a").view()));
    }

    void whatAnotherStreamSaysOfTheThreadCounts()
    {
        const EventTypes types = typesOf({{Tid, Name}});
        ContextCache<Thread> known(fieldsOf(types));
        Thread thread;
        const Event first(0, 0, {5}, "a"), second(1, 0, {5}, "b");
        known.set(first.view(), thread);
        known.set(second.view(), thread);
        // Not found: the second event has changed the thread's name to "b", so an event with the name "a" must be read again.
        QVERIFY(!known.find(first.view()));
        QCOMPARE(known.find(second.view()), &thread);
    }

    void theSameBytesAtOtherPlacesMeanSomethingElse()
    {
        const EventTypes types = typesOf({{Tid, Pid}, {Pid, Tid}, {Pid, Other}, {Tid, Pid, Other}});
        ContextCache<Thread> known(fieldsOf(types));
        Thread thread;
        known.set(Event(0, 0, {5, 6}).view(), thread);
        QVERIFY(!known.find(Event(0, 1, {5, 6}).view()));
        QVERIFY(!known.find(Event(0, 2, {5, 6}).view()));
        // The context is found: compared with event type 0, event type 3 only has an additional field, which does not identify a thread.
        QCOMPARE(known.find(Event(0, 3, {5, 6, 7}).view()), &thread);
    }

    void withoutAPlaceOfTheirOwnFieldsAreReadAlways()
    {
        const EventTypes types = typesOf({{{"procname", types::string()}, Tid}, {Other}, {}});
        ContextCache<Thread> known(fieldsOf(types));
        Thread thread;
        for (const std::uint32_t type : {0u, 1u, 2u}) {
            const Event event(0, type, {5, 6, 7});
            known.set(event.view(), thread);
            QVERIFY(!known.find(event.view()));
        }
    }

    void aContextThatIsCutOffIsNotRead()
    {
        const EventTypes types = typesOf({{Tid, Pid}});
        ContextCache<Thread> known(fieldsOf(types));
        Thread thread;
        known.set(Event(0, 0, {5, 6}).view(), thread);
        Event cut(0, 0, {5, 6});
        cut.cut();
        QVERIFY(!known.find(cut.view()));
    }
};

HELIO_TEST(KnownContextsTest)
#include "tst_known_contexts.moc"
