// Benchmark of rows of virtual machines: making and painting ten guests with eight vCPUs each, on a host with sixteen CPUs.

#include "tests/bench/sections/sections.h"
#include "tests/bench/sections/whole_frames.h"
#include "tests/bench/suite/measuring.h"
#include "tests/core/correlators/machines/made_machines.h"

#include <fmt/format.h>
#include <random>

namespace helio::bench {
namespace {

constexpr int Machines = 10;
constexpr int Vcpus = 8;
constexpr int Cpus = 16;
constexpr std::int64_t Length = 2'000'000'000; ///< Length of the traces in ns.
constexpr std::int64_t FirstTid = 100; ///< TID of the first vCPU thread on the host.

std::int64_t tidOf(int machine, int vcpu) { return FirstTid + machine * Vcpus + vcpu; }

/// A synthetic KVM trace, whose events are sorted by time.
class Script : public test::KvmScript {
public:
    void later(std::int64_t time, std::function<void(Script&)> what) { m_later.emplace(time, std::move(what)); }
    void write()
    {
        for (const auto& [time, what] : m_later)
            what(*this);
        m_later.clear();
    }

private:
    std::multimap<std::int64_t, std::function<void(Script&)>> m_later;
};

/// Makes the host's trace: on each CPU, five vCPUs take turns of about a millisecond with an exit every 200 us.
std::shared_ptr<Script> madeHost()
{
    std::mt19937_64 random(1);
    auto host = std::make_shared<Script>();
    for (int machine = 0; machine < Machines; ++machine)
        for (int vcpu = 0; vcpu < Vcpus; ++vcpu)
            host->dump(0, tidOf(machine, vcpu), 10 + machine, 1, 0, 5);
    constexpr int Waiting = Machines * Vcpus / Cpus;
    for (int cpu = 0; cpu < Cpus; ++cpu) {
        std::int64_t had = 0;
        for (std::int64_t at = 1'000 + cpu, turn = 0; at < Length; ++turn) {
            const std::int64_t next = FirstTid + cpu + (turn % Waiting) * Cpus;
            host->later(at, [=](Script& it) { it.sw(at, cpu, had, 0, next); });
            host->later(at + 500, [=](Script& it) { it.entry(at + 500, cpu); });
            const std::int64_t end = at + 500'000 + static_cast<std::int64_t>(random() % 1'000'000);
            for (at += 200'000; at + 20'000 < end; at += 200'000)
                host->later(at, [=](Script& it) { it.exit(at, cpu, 0, test::Msr).entry(at + 9'000, cpu); });
            at = end;
            host->later(at - 1'000, [=](Script& it) { it.exit(at - 1'000, cpu, 0, test::Interrupt); });
            had = next;
        }
    }
    host->write();
    return host;
}

/// Makes a guest's trace: on each of its CPUs, two threads take turns.
std::shared_ptr<Script> madeGuest(int machine)
{
    std::mt19937_64 random(static_cast<std::uint64_t>(machine) + 2);
    auto guest = std::make_shared<Script>();
    for (int cpu = 0; cpu < Vcpus; ++cpu) {
        std::int64_t had = 0;
        for (std::int64_t at = 2'000 + cpu, turn = 0; at < Length; ++turn) {
            const std::int64_t next = 10 + cpu * 2 + turn % 2;
            guest->later(at, [=](Script& it) { it.sw(at, cpu, had, 0, next); });
            had = next;
            at += 300'000 + static_cast<std::int64_t>(random() % 400'000);
        }
    }
    guest->write();
    return guest;
}

} // namespace

void measureMachines(Measuring& m)
{
    test::MadeMachines made;
    const auto host = made.add(madeHost(), "host", Length);
    for (int machine = 0; machine < Machines; ++machine) {
        const auto guest = made.add(madeGuest(machine), fmt::format("guest{}", machine), Length);
        for (int vcpu = 0; vcpu < Vcpus; ++vcpu)
            made.addHypercall(host, static_cast<std::int32_t>(tidOf(machine, vcpu)), guest, vcpu);
    }
    std::shared_ptr<const Timeline> timeline;
    const double seconds = threadSecondsOf([&] { timeline = std::make_shared<const Timeline>(made.withRows()); });
    m.figures.add({"machines_rows", fmt::format("{} machines x {} vCPUs: their rows put together, one thread", Machines, Vcpus), "ms",
                   seconds * 1e3});
    measureFrame(m, timeline, {"machines", fmt::format("{} machines x {} vCPUs, ", Machines, Vcpus), "vm"}, QSize(1'920, 1'080),
                 {{}, atMost(16.7)});
}

} // namespace helio::bench
