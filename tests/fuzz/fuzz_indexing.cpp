// Fuzzer of the analyses and of the indexing: makes a CTF trace of kernel events whose order, times and fields the input chooses, and
// indexes it with all analyses. No input may cause a crash, a hang, or more memory use than the size of the trace justifies.

#include "core/experiment/experiment.h"
#include "core/formats/ctf/opening/ctf_find.h"
#include "core/formats/ctf/opening/ctf_opening.h"
#include "core/store/store.h"
#include "tests/fuzz/fuzz_input.h"

#include <array>
#include <vector>

using namespace helio;

namespace {

struct KernelEvent {
    std::string_view name;
    std::string_view fields; ///< Names separated by spaces: text fields end with "comm" or "name", other fields are numbers of 32 bits.
};

constexpr std::array<KernelEvent, 42> Events{{
    {"sched_switch", "prev_comm prev_tid prev_prio prev_state next_comm next_tid next_prio"},
    {"sched_waking", "comm tid prio target_cpu"},
    {"sched_wakeup", "comm tid prio target_cpu"},
    {"sched_wakeup_new", "comm tid prio target_cpu"},
    {"sched_migrate_task", "comm tid prio orig_cpu dest_cpu"},
    {"sched_process_fork", "parent_comm parent_tid parent_pid child_comm child_tid child_pid"},
    {"sched_process_exec", "filename tid old_tid"},
    {"sched_process_exit", "comm tid prio"},
    {"sched_process_free", "comm tid prio"},
    {"sched_pi_setprio", "comm tid oldprio newprio"},
    {"irq_handler_entry", "irq name"},
    {"irq_handler_exit", "irq ret"},
    {"irq_softirq_entry", "vec"},
    {"irq_softirq_exit", "vec"},
    {"irq_softirq_raise", "vec"},
    {"timer_hrtimer_expire_entry", "hrtimer now function"},
    {"timer_hrtimer_expire_exit", "hrtimer"},
    {"x86_irq_vectors_local_timer_entry", "vector"},
    {"x86_irq_vectors_local_timer_exit", "vector"},
    {"x86_exceptions_page_fault_user", "address ip error_code"},
    {"syscall_entry_read", "fd count"},
    {"syscall_exit_read", "ret buf"},
    {"syscall_entry_futex", "uaddr op val utime uaddr2 val3"},
    {"syscall_exit_futex", "ret uaddr"},
    {"syscall_entry_openat", "dfd filename flags mode"},
    {"syscall_exit_openat", "ret"},
    {"syscall_entry_execve", "filename argv"},
    {"syscall_exit_execve", "ret"},
    {"block_rq_insert", "dev sector nr_sector bytes rwbs tid comm"},
    {"block_rq_issue", "dev sector nr_sector bytes rwbs tid comm"},
    {"block_rq_complete", "dev sector nr_sector error rwbs"},
    {"block_getrq", "dev sector nr_sector rwbs tid comm"},
    {"kvm_x86_entry", "vcpu_id"},
    {"kvm_x86_exit", "exit_reason vcpu_id"},
    {"kvm_x86_inj_virq", "irq"},
    {"kvm_vcpu_wakeup", "ns waited valid"},
    {"kmem_rss_stat", "mm_id curr member size"},
    {"power_cpu_frequency", "state cpu_id"},
    {"lttng_statedump_process_state", "tid vtid pid vpid ppid vppid name type mode submode status cpu"},
    {"lttng_statedump_process_pid_ns", "tid vtid vpid vppid ns_level ns_inum"},
    {"lock_contention_begin", "lock_addr flags"},
    {"lock_contention_end", "lock_addr ret"},
}};

bool isText(std::string_view field) { return field.ends_with("comm") || field.ends_with("name"); }

template <typename Take> void forEachField(std::string_view fields, Take take)
{
    while (!fields.empty()) {
        const std::string_view field = fields.substr(0, fields.find(' '));
        fields.remove_prefix(std::min(fields.size(), field.size() + 1));
        take(field);
    }
}

std::string makeMetadata()
{
    std::string text = R"(/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = true; } := i32;
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
env { hostname = "box"; domain = "kernel"; tracer_name = "lttng-modules"; tracer_major = 2; tracer_minor = 13; kernel_release = "6.1.0"; };
clock { name = c; freq = 1000000000; };
typealias integer { size = 64; align = 8; map = clock.c.value; } := stamp;
stream { id = 0;
    packet.context := struct { stamp timestamp_begin; stamp timestamp_end; u64 content_size; u64 packet_size; u64 events_discarded; u32 cpu_id; };
    event.header := struct { u32 id; stamp timestamp; };
    event.context := struct { i32 _tid; i32 _pid; string _procname; };
};
)";
    for (std::size_t id = 0; id < Events.size(); ++id) {
        text +=
            "event { id = " + std::to_string(id) + "; stream_id = 0; name = \"" + std::string(Events[id].name) + "\"; fields := struct { ";
        forEachField(Events[id].fields, [&](std::string_view field) {
            text += std::string(isText(field) ? "string _" : "i32 _") + std::string(field) + "; ";
        });
        text += "}; };\n";
    }
    return text;
}

/// Makes the stream of a CPU: packets of events with mostly ascending times.
std::string makeStream(FuzzInput& input, std::uint32_t cpu)
{
    constexpr std::array<std::string_view, 4> Names{"app", "web", "swapper/0", "qemu-system-x86"};
    std::string stream;
    std::uint64_t time = input.byte() % 16 == 0 ? input.number() : 1'000'000;
    std::uint64_t lost = 0;
    for (std::size_t packets = 1 + input.below(3); packets > 0; --packets) {
        FuzzBytes content;
        const std::uint64_t begin = time;
        for (std::size_t left = input.byte(); left > 0 && !input.isEmpty(); --left) {
            const std::uint8_t step = input.byte();
            time = step < 240 ? time + step : step < 250 ? time + input.take<std::uint32_t>() : input.number();
            const std::size_t type = input.below(Events.size());
            content.u32(type).u64(time).u32(input.byte() % 8).u32(input.byte() % 8).raw(Names[input.below(Names.size())]).u8(0);
            forEachField(Events[type].fields, [&](std::string_view field) {
                if (isText(field))
                    content.raw(Names[input.below(Names.size())]).u8(0);
                else
                    content.u32(input.byte() % 16 == 0 ? input.number() : input.byte() % 8);
            });
        }
        lost += input.byte() % 8 == 0 ? input.byte() : 0;
        constexpr std::size_t HeadBytes = 52;
        const std::uint64_t bits = 8 * (HeadBytes + content.all.size());
        FuzzBytes packet;
        packet.u32(0xC1FC1FC1).u32(0).u64(begin).u64(time).u64(bits).u64(bits).u64(lost).u32(cpu).raw(content.all);
        stream += packet.all;
    }
    return stream;
}

void query(const Store& store, TimeRange range)
{
    const HostRange always{hostTime(nanoseconds(range.begin)), hostTime(nanoseconds(range.end))};
    HostSpans spans;
    for (std::uint32_t n = 0; n < store.tracks().size(); ++n) {
        spans.clear();
        store.spans(TrackId{n}, always, Duration(1000), spans);
        (void)store.totals(TrackId{n}, always);
    }
    (void)store.links(always, 100);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const FuzzFolder folder;
    static const std::filesystem::path trace = [] {
        std::filesystem::create_directories(folder.path() / "trace");
        folder.write("trace/metadata", makeMetadata());
        return folder.path() / "trace";
    }();
    FuzzInput input(data, size);
    folder.write("trace/cpu_0", makeStream(input, 0));
    folder.write("trace/cpu_1", makeStream(input, 1));
    std::vector<std::unique_ptr<TraceOpening>> openings;
    for (const TraceSource& source : ctf::findTraces(trace))
        if (auto opening = ctf::beginCtf(source))
            openings.push_back(std::move(*opening));
    ExperimentOptions options;
    options.storeDirectory = folder.path() / "stores";
    options.rebuild = true;
    options.jobs = 1;
    const auto experiment = Experiment::of(std::move(openings), options);
    experiment->start();
    if (experiment->wait()) {
        const auto timeline = experiment->timeline();
        for (const TimelineStore& store : timeline->stores)
            if (store.store)
                query(*store.store, timeline->range);
    }
    std::filesystem::remove_all(options.storeDirectory);
    return 0;
}
