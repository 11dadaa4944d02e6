#include "tests/bench/make_trace_metadata.h"

#include <fmt/format.h>

namespace helio::bench {
namespace {

constexpr std::string_view Types = R"(/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;
typealias integer { size = 8; align = 8; signed = true; encoding = UTF8; } := char_t;
)";

constexpr std::string_view Streams = R"(
typealias integer { size = 32; align = 8; signed = false; map = clock.monotonic.value; } := uint32_time_t;
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := uint64_time_t;

stream {
	id = 0;
	event.header := struct {
		enum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;
		variant <id> {
			struct {
				uint32_time_t timestamp;
			} compact;
			struct {
				uint32_t id;
				uint64_time_t timestamp;
			} extended;
		} v;
	} align(8);
	packet.context := struct {
		uint64_time_t timestamp_begin;
		uint64_time_t timestamp_end;
		uint64_t content_size;
		uint64_t packet_size;
		uint64_t packet_seq_num;
		uint64_t events_discarded;
		uint32_t cpu_id;
	};
};
)";

struct EventText {
    const char* name;
    const char* fields;
};

constexpr std::array<EventText, std::size_t(MadeEvent::FirstSyscall)> Events{{
    {"sched_switch",
     "char_t _prev_comm[16]; int32_t _prev_tid; int32_t _prev_prio; int64_t _prev_state; char_t _next_comm[16]; int32_t _next_tid; "
     "int32_t _next_prio;"},
    {"sched_waking", "char_t _comm[16]; int32_t _tid; int32_t _prio; int32_t _target_cpu;"},
    {"sched_wakeup", "char_t _comm[16]; int32_t _tid; int32_t _prio; int32_t _target_cpu;"},
    {"sched_wakeup_new", "char_t _comm[16]; int32_t _tid; int32_t _prio; int32_t _target_cpu;"},
    {"sched_migrate_task", "char_t _comm[16]; int32_t _tid; int32_t _prio; int32_t _orig_cpu; int32_t _dest_cpu;"},
    {"sched_process_fork",
     "char_t _parent_comm[16]; int32_t _parent_tid; int32_t _parent_pid; char_t _child_comm[16]; int32_t _child_tid; int32_t _child_pid;"},
    {"sched_process_exec", "string _filename; int32_t _tid; int32_t _old_tid;"},
    {"sched_process_exit", "char_t _comm[16]; int32_t _tid; int32_t _prio;"},
    {"sched_process_free", "char_t _comm[16]; int32_t _tid; int32_t _prio;"},
    {"irq_handler_entry", "int32_t _irq; string _name;"},
    {"irq_handler_exit", "int32_t _irq; int32_t _ret;"},
    {"irq_softirq_raise", "uint32_t _vec;"},
    {"irq_softirq_entry", "uint32_t _vec;"},
    {"irq_softirq_exit", "uint32_t _vec;"},
    {"lttng_statedump_process_state",
     "int32_t _tid; int32_t _pid; int32_t _ppid; char_t _name[16]; int32_t _type; int32_t _mode; int32_t _submode; int32_t _status; "
     "uint32_t _cpu;"},
    {"lttng_statedump_end", ""},
}};

std::string quoted(const MadeUuid& uuid)
{
    std::string text;
    for (std::size_t i = 0; i < uuid.size(); ++i)
        text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
    return text;
}

std::string event(std::string_view name, std::size_t id, std::string_view fields)
{
    return fmt::format("\nevent {{\n\tname = \"{}\";\n\tid = {};\n\tstream_id = 0;\n\tfields := struct {{ {} }};\n}};\n", name, id, fields);
}

} // namespace

std::string madeMetadata(const MadeUuid& uuid, const MadeUuid& clock, std::int64_t offset)
{
    std::string text(Types);
    text += fmt::format("\ntrace {{\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"{}\";\n\tbyte_order = le;\n\tpacket.header := struct {{ "
                        "uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; uint64_t stream_instance_id; }};\n}};\n",
                        quoted(uuid));
    text += "\nenv {\n\thostname = \"made\";\n\tdomain = \"kernel\";\n\tsysname = \"Linux\";\n\tkernel_release = \"6.1.0\";\n"
            "\ttracer_name = \"lttng-modules\";\n\ttracer_major = 2;\n\ttracer_minor = 13;\n\ttracer_patchlevel = 9;\n};\n";
    text += fmt::format("\nclock {{\n\tname = \"monotonic\";\n\tuuid = \"{}\";\n\tfreq = 1000000000;\n\toffset = {};\n}};\n", quoted(clock),
                        offset);
    text += Streams;
    for (std::size_t i = 0; i < Events.size(); ++i)
        text += event(Events[i].name, i, Events[i].fields);
    for (std::size_t i = 0; i < madeSyscalls.size(); ++i) {
        const std::size_t entry = std::size_t(MadeEvent::FirstSyscall) + 2 * i;
        text += event(std::string("syscall_entry_") + madeSyscalls[i], entry, "int32_t _fd; uint64_t _count;");
        text += event(std::string("syscall_exit_") + madeSyscalls[i], entry + 1, "int64_t _ret;");
    }
    return text;
}

} // namespace helio::bench
