#include "core/event_model/running_threads.h"
#include "tests/support/fake_trace.h"
#include "tests/support/made_trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstring>

using namespace helio;
using namespace helio::test;

namespace {

/// A trace with three event types: a switch with thread names, a switch without names, and an unrelated event.
class Switches final : public MadeTrace {
public:
    explicit Switches(bool keepsBytes)
        : m_keepsBytes(keepsBytes)
    {
        IntegerType number, letter;
        number.bits = 32;
        letter.bits = 8;
        letter.encoding = TextEncoding::Utf8;
        const auto tid = std::make_shared<const FieldType>(FieldType{8, number});
        const auto name =
            std::make_shared<const FieldType>(FieldType{8, ArrayType{std::make_shared<const FieldType>(FieldType{8, letter}), 16}});
        add("sched:sched_switch", {{"next_pid", tid}, {"next_comm", name}});
        add("sched_switch", {{"next_tid", tid}});
        add("sched_wakeup", {{"next_tid", tid}});
    }

    bool keepsBytes() const override { return m_keepsBytes; }

    /// Passes a switch to `threads`, then clears the event's record. Also overwrites the event's bytes, unless keepsBytes() is true.
    void put(RunningThreads& threads, std::uint32_t type, int cpu, std::uint32_t tid, const char* name = "")
    {
        auto& bytes = m_bytes.emplace_back(20);
        std::memcpy(bytes.data(), &tid, 4);
        std::strncpy(reinterpret_cast<char*>(bytes.data()) + 4, name, 16);
        EventRecord record;
        record.type = EventTypeId{type};
        record.cpu = cpu;
        threads.take({&record, &m_types[record.type], {bytes.data(), bytes.size() * 8, 0}, 0});
        record = {};
        if (!m_keepsBytes)
            std::ranges::fill(bytes, std::byte('x'));
    }

private:
    void add(std::string name, std::vector<Member> members)
    {
        EventType type;
        type.name = std::move(name);
        type.payload = std::make_shared<const FieldType>(FieldType{8, StructType{std::move(members)}});
        m_types.add(std::move(type));
    }

    const bool m_keepsBytes;
    std::vector<std::vector<std::byte>> m_bytes;
};

} // namespace

class RunningThreadsTest : public QObject {
    Q_OBJECT

private slots:
    void onlySwitchesAreTaken()
    {
        const Switches trace(true);
        const RunningThreads threads(trace, RunningThreads::Needs::Names), none(trace, RunningThreads::Needs::Nothing);

        QVERIFY(threads.isSwitch(EventTypeId{0}));
        QVERIFY(threads.isSwitch(EventTypeId{1}));
        QVERIFY(!threads.isSwitch(EventTypeId{2}));
        QVERIFY(!none.isSwitch(EventTypeId{0}));
    }

    void namesAreOfTheLastSwitchWhetherBytesStayOrNot_data()
    {
        QTest::addColumn<bool>("keepsBytes");
        QTest::newRow("stay") << true;
        QTest::newRow("gone") << false;
    }
    void namesAreOfTheLastSwitchWhetherBytesStayOrNot()
    {
        QFETCH(bool, keepsBytes);
        Switches trace(keepsBytes);
        RunningThreads threads(trace, RunningThreads::Needs::Names);
        const auto on = [&](int cpu) {
            const RunningThread it = threads.on(cpu);
            return QString("%1 %2").arg(it.tid).arg(QString::fromStdString(it.name));
        };

        trace.put(threads, 0, 0, 7, "first");
        trace.put(threads, 0, 5000, 8, "sixteen-letters-"); // A name of 16 characters without a NUL.
        QCOMPARE(on(0), "7 first");
        QCOMPARE(on(5000), "8 sixteen-letters-");
        QCOMPARE(on(1), "-1 ");
        trace.put(threads, 0, 0, 9, "second");
        QCOMPARE(on(0), "9 second");
        trace.put(threads, 1, 0, 10); // This switch has an event type without thread names.
        QCOMPARE(on(0), "10 ");
        threads.forget(5000);
        QCOMPARE(on(5000), "-1 ");
        trace.put(threads, 0, 0, 11, "third");
        threads.forget();
        QCOMPARE(on(0), "-1 ");
    }

    void withoutNeedNoNameIsRead()
    {
        Switches trace(true);
        RunningThreads threads(trace, RunningThreads::Needs::Numbers);

        trace.put(threads, 0, 0, 7, "first");

        QCOMPARE(threads.on(0).tid, 7);
        QCOMPARE(threads.on(0).name, std::string());
    }
};

HELIO_TEST(RunningThreadsTest)
#include "tst_running_threads.moc"
