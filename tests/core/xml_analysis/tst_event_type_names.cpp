// Event names that analysis files may use, including names of other LTTng versions.

#include "core/xml_analysis/event_pattern.h"
#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace helio;
using namespace helio::xml;

namespace {

/// Returns the names of the event types that match a pattern, in the order of their ids and separated by spaces: "exit_syscall sys_read".
std::string fitting(const Trace& trace, const std::string& pattern)
{
    const EventNameFilter filter(std::vector<std::string>{pattern});
    const EventTypeNames names(trace);
    const std::vector<bool> fits = names.fitting(filter);
    std::string text;
    for (std::size_t i = 0; i < trace.eventTypes().size(); ++i)
        if (fits.at(i))
            text += (text.empty() ? "" : " ") + trace.eventTypes()[EventTypeId(i)].name;
    return names.isAnyFitting(filter) == !text.empty() ? text : "isAnyFitting() contradicts: " + text;
}

} // namespace

class EventTypeNamesTest : public QObject {
    Q_OBJECT

private slots:
    void unnamedExitsHaveTheNamesOfAllCallsOfTheTrace()
    {
        test::KernelScript script;
        script.declare("sys_read").declare("exit_syscall").declare("compat_sys_open").declare("sys_").declare("sched_switch");
        QCOMPARE(fitting(script, "syscall_exit_read"), "exit_syscall");
        QCOMPARE(fitting(script, "compat_syscall_exit_open"), "exit_syscall");
        QCOMPARE(fitting(script, "syscall_exit_write"), "");
        QCOMPARE(fitting(script, "syscall_entry_read"), "sys_read");
        QCOMPARE(fitting(script, "compat_syscall_entry_open"), "compat_sys_open");
        QCOMPARE(fitting(script, "syscall_entry_.*"), "sys_read");
        QCOMPARE(fitting(script, "exit_syscall"), "exit_syscall");
        QCOMPARE(fitting(script, "sys_.*"), "sys_read sys_");
        QCOMPARE(fitting(script, "sched_switch"), "sched_switch");
        QCOMPARE(fitting(script, ".*"), "sys_read exit_syscall compat_sys_open sys_ sched_switch");
    }

    void whereExitsAreNamedTypesHaveTheirOwnNamesAlone()
    {
        test::KernelScript script;
        script.declare("sys_read").declare("syscall_exit_read");
        QCOMPARE(fitting(script, "syscall_entry_read"), "");
        QCOMPARE(fitting(script, "syscall_exit_read"), "syscall_exit_read");
    }

    void allUnnamedExitsShareTheNamesOfCalls()
    {
        EventTypes types;
        for (int i = 0; i < 3000; ++i)
            types.add(typeNamed("exit_syscall"));
        for (int i = 0; i < 3000; ++i)
            types.add(typeNamed("sys_c" + std::to_string(i)));
        const Types trace(types);
        const EventTypeNames names(trace);
        for (const auto& [pattern, count] :
             {std::pair("syscall_exit_c2999", 3000), std::pair("syscall_exit_d", 0), std::pair("syscall_entry_c7", 1)})
            QCOMPARE(std::ranges::count(names.fitting(EventNameFilter(std::vector<std::string>{pattern})), true), count);
    }

private:
    static EventType typeNamed(const std::string& name)
    {
        EventType type;
        type.name = name;
        return type;
    }
    /// A trace that has event types but no events.
    class Types : public MadeTrace {
    public:
        explicit Types(const EventTypes& types)
            : m_types(types)
        {
        }
        const EventTypes& eventTypes() const override { return m_types; }

    private:
        const EventTypes& m_types;
    };
};

HELIO_TEST(EventTypeNamesTest)
#include "tst_event_type_names.moc"
