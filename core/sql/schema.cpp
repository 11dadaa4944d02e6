#include "core/sql/schema.h"

#include "core/sql/dialect/tokens.h"

#include <array>
#include <functional>
#include <utility>

namespace helio::sql {
namespace {

/// Passes each row of a result to a function.
class RowCollector final : public RowReceiver {
public:
    explicit RowCollector(std::function<void(std::span<const Value>)> take)
        : m_take(std::move(take))
    {
    }
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const Value> values) override
    {
        m_take(values);
        return true;
    }

private:
    std::function<void(std::span<const Value>)> m_take;
};

std::string textIn(const Value& value)
{
    const auto* text = std::get_if<std::string>(&value);
    return text ? *text : std::string();
}

struct ColumnHelp {
    std::string_view table; ///< Empty for all tables without an entry of their own.
    std::string_view column;
    std::string_view text;
};

constexpr std::array Helps{
    ColumnHelp{"", "id", "Number of the row, unique in its table"},
    ColumnHelp{"", "ts", "Begin in ns on the experiment's clock"},
    ColumnHelp{"", "dur", "Duration in ns; -1 if the end is not in the recording"},
    ColumnHelp{"", "ts_end", "End in ns on the experiment's clock"},
    ColumnHelp{"", "start_ts", "Begin in ns; NULL if it is not in the recording"},
    ColumnHelp{"", "end_ts", "End in ns; NULL if it is not in the recording"},
    ColumnHelp{"", "cpu", "Number of the CPU on its host"},
    ColumnHelp{"", "ucpu", "Number of the CPU, unique over all hosts"},
    ColumnHelp{"", "utid", "Number of a thread's life, unique over all hosts; joins with thread"},
    ColumnHelp{"", "upid", "Number of a process's life, unique over all hosts; joins with process"},
    ColumnHelp{"", "tid", "Thread ID as the kernel numbers threads; used again after a thread ends"},
    ColumnHelp{"", "pid", "Process ID as the kernel numbers processes; used again after a process ends"},
    ColumnHelp{"", "track_id", "Track of the row; joins with track.id"},
    ColumnHelp{"", "arg_set_id", "Fields of the row: extract_arg(arg_set_id, 'name')"},
    ColumnHelp{"", "machine_id", "Host of the row; joins with machine.id"},
    ColumnHelp{"", "host_id", "Host of the row; joins with host.id"},
    ColumnHelp{"", "trace_id", "Number of the opened trace, from 0"},
    ColumnHelp{"", "certain", "1 if no lost events touch the row, otherwise 0"},
    ColumnHelp{"", "name", "Name of what the row describes"},
    ColumnHelp{"", "depth", "Number of calls around this one; 0 for the outermost"},
    ColumnHelp{"", "parent_id", "Row that contains this one; NULL for the outermost"},
    ColumnHelp{"", "unit", "Unit of the values; NULL for plain numbers"},
    ColumnHelp{"", "value", "Value from this time on"},
    ColumnHelp{"thread_state", "state", "Running, R (runnable), R+ (preempted), S, D, I, T or P; NULL if unknown"},
    ColumnHelp{"thread_state", "cpu", "CPU of a running thread; NULL in other states"},
    ColumnHelp{"thread_state", "waker_utid", "Thread whose wake-up ended the wait; NULL if unknown"},
    ColumnHelp{"thread_state", "waker_id", "State of the waking thread, as thread_state.id"},
    ColumnHelp{"thread_state", "irq_context", "1 if an interrupt woke the thread, otherwise 0"},
    ColumnHelp{"thread_state", "blocked_function", "Kernel function in which the thread waits; NULL if unknown"},
    ColumnHelp{"thread_state", "io_wait", "1 if the thread waits for a device; NULL if unknown"},
    ColumnHelp{"", "end_state", "State in which the thread left the CPU: R, R+, S, D, I, T, X or P"},
    ColumnHelp{"", "priority", "Kernel priority of the thread; lower numbers run first"},
    ColumnHelp{"slice", "category", "Category that the application recorded; NULL if none"},
    ColumnHelp{"slice", "thread_dur", "CPU time of the slice in ns; NULL if not recorded"},
    ColumnHelp{"thread", "name", "Last name of the thread; NULL if unknown"},
    ColumnHelp{"thread", "is_main_thread", "1 if the thread is the first of its process, otherwise 0"},
    ColumnHelp{"thread", "is_idle", "1 for the thread that stands for the idle threads of all CPUs of its host, otherwise 0"},
    ColumnHelp{"process", "name", "Last name of the process; NULL if unknown"},
    ColumnHelp{"process", "parent_upid", "Process that created this one; NULL if unknown"},
    ColumnHelp{"process", "cmdline", "Command line of the process; NULL if not recorded"},
    ColumnHelp{"flow", "slice_out", "Slice at which the arrow begins"},
    ColumnHelp{"flow", "slice_in", "Slice at which the arrow ends"},
    ColumnHelp{"flow", "out_ts", "Time in ns at which the arrow leaves slice_out"},
    ColumnHelp{"flow", "in_ts", "Time in ns at which the arrow reaches slice_in"},
    ColumnHelp{"link", "kind", "wakeup, sched, migration, packet or flow"},
    ColumnHelp{"link", "from_utid", "Thread at which the link begins; NULL if none"},
    ColumnHelp{"link", "to_utid", "Thread at which the link ends; NULL if none"},
    ColumnHelp{"loss", "events", "Number of lost events; NULL if unknown"},
    ColumnHelp{"event", "name", "Name of the event, e.g. sched_switch"},
    ColumnHelp{"event", "utid", "Thread that recorded the event; NULL if unknown"},
    ColumnHelp{"args", "key", "Name of the field, with its path inside structures"},
    ColumnHelp{"args", "display_value", "Value of the field as text"},
    ColumnHelp{"track", "type", "Kind of the track's rows, e.g. syscall"},
    ColumnHelp{"stack_profile_frame", "problem", "Reason why the frame has no name; NULL if it has one"},
    ColumnHelp{"host", "clock_offset_ns", "Time to add to the host's clock for the reference clock, in ns"},
    ColumnHelp{"host", "clock_error_ns", "Upper bound of the error of the host's times in ns; NULL if unknown"},
};

} // namespace

Result<Schema> readSchema(Database& database)
{
    Schema schema;
    RowCollector columns([&](std::span<const Value> row) {
        std::string name = textIn(row[0]);
        if (schema.tables.empty() || schema.tables.back().name != name)
            schema.tables.push_back({std::move(name), textIn(row[1]) == "view", {}});
        schema.tables.back().columns.push_back({textIn(row[2]), textIn(row[3])});
    });
    if (Status done = database.run("SELECT t.name, t.type, c.name, c.type FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c "
                                   "WHERE t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND c.hidden = 0 ORDER BY t.name, c.cid",
                                   columns);
        !done)
        return done.error();
    RowCollector functions([&](std::span<const Value> row) { schema.functions.push_back(textIn(row[0])); });
    if (Status done = database.run(FunctionNames, functions); !done)
        return done.error();
    schema.modules = database.modules().find("*");
    return schema;
}

std::string_view describeColumn(std::string_view table, std::string_view column)
{
    const ColumnHelp* general = nullptr;
    for (const ColumnHelp& help : Helps) {
        if (!areSameName(help.column, column))
            continue;
        if (!help.table.empty() && areSameName(help.table, table))
            return help.text;
        if (help.table.empty())
            general = &help;
    }
    return general ? general->text : std::string_view();
}

} // namespace helio::sql
