#include "core/formats/perfetto/stats_reader.h"

#include "core/formats/perfetto/wire.h"

#include <string>

namespace helio::perfetto {
namespace {

/// Names of the lines of /proc/meminfo, indexed by the values of the protobuf enum MeminfoCounters.
constexpr std::string_view Meminfo[] = {
    {},           "MemTotal",     "MemFree",        "MemAvailable", "Buffers",        "Cached",       "SwapCached",  "Active",
    "Inactive",   "Active(anon)", "Inactive(anon)", "Active(file)", "Inactive(file)", "Unevictable",  "Mlocked",     "SwapTotal",
    "SwapFree",   "Dirty",        "Writeback",      "AnonPages",    "Mapped",         "Shmem",        "Slab",        "SReclaimable",
    "SUnreclaim", "KernelStack",  "PageTables",     "CommitLimit",  "Committed_AS",   "VmallocTotal", "VmallocUsed", "VmallocChunk",
    "CmaTotal",   "CmaFree"};

/// Names of the lines of /proc/PID/status, indexed by field number in the message ProcessStats.Process.
constexpr std::string_view Status[] = {{}, {}, "VmSize", "VmRSS", "RssAnon", "RssFile", "RssShmem", "VmSwap", "VmLck", "VmHWM"};

/// Names of the columns of /proc/stat as in proc(5), indexed by field number in the message SysStats.CpuTimes.
constexpr std::string_view CpuTimes[] = {{}, {}, "user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"};

/// Names of pressure stall values, indexed by the values of the protobuf enum SysStats.PsiSample.PsiResource.
constexpr std::string_view Pressures[] = {{}, "cpu some", "cpu full", "io some", "io full", "memory some", "memory full"};

/// Values of the first two fields of a message. Field 1 is a number (`key`) or a text (`text`); field 2 is a number (`value`).
struct Pair {
    std::uint64_t key = 0;
    std::string_view text;
    std::uint64_t value = 0;
};
Pair pairIn(std::string_view message)
{
    Pair pair;
    forEachField(message, [&](const WireField& field) {
        if (field.number == 1) {
            pair.key = field.value;
            pair.text = field.bytes;
        } else if (field.number == 2) {
            pair.value = field.value;
        }
    });
    return pair;
}

} // namespace

void StatsReader::add(std::int64_t time, TrackScope scope, const TrackContext& context, std::string_view name, std::string_view series,
                      std::string_view unit, std::uint64_t value)
{
    TrackPlace place;
    place.context = context;
    TrackCounter counter;
    counter.name = name;
    counter.series = series;
    counter.unit = unit;
    counter.integer = static_cast<std::int64_t>(value);
    m_writer.addCounter(time, scope, place, counter);
}

void StatsReader::takeProcessStats(std::string_view message, std::int64_t time)
{
    forEachField(message, [&](const WireField& field) {
        if (field.number == 1 && field.isBytes())
            takeProcess(field.bytes, time);
    });
}

void StatsReader::takeProcess(std::string_view message, std::int64_t time)
{
    TrackContext context;
    forEachField(message, [&](const WireField& field) {
        if (field.number == 1 && !field.isBytes())
            context.pid = field.int32();
    });
    if (context.pid <= 0)
        return;
    constexpr std::uint32_t OomScore = 10;
    forEachField(message, [&](const WireField& field) {
        if (field.isBytes())
            return;
        if (field.number == OomScore)
            add(time, TrackScope::Process, context, "oom_score_adj", {}, {}, field.value);
        else if (field.number < std::size(Status) && !Status[field.number].empty())
            add(time, TrackScope::Process, context, Status[field.number], {}, "B", field.value * 1024);
    });
}

void StatsReader::takeCpuTimes(std::string_view message, std::int64_t time)
{
    TrackContext context;
    forEachField(message, [&](const WireField& field) {
        if (field.number == 1 && !field.isBytes() && field.value < 65'536)
            context.cpu = field.int32();
    });
    forEachField(message, [&](const WireField& field) {
        if (field.number < std::size(CpuTimes) && !CpuTimes[field.number].empty() && !field.isBytes() && context.cpu >= 0)
            add(time, TrackScope::Cpu, context, "CPU time", CpuTimes[field.number], "ns", field.value);
    });
}

void StatsReader::takeDisk(std::string_view message, std::int64_t time)
{
    struct Column {
        std::string_view series;
        std::string_view unit;
        std::uint64_t factor = 1;
    };
    constexpr std::uint64_t Sector = 512;
    constexpr std::uint64_t Millisecond = 1'000'000;
    constexpr Column Columns[] = {{},
                                  {},
                                  {"read", "B", Sector},
                                  {"read time", "ns", Millisecond},
                                  {"written", "B", Sector},
                                  {"write time", "ns", Millisecond},
                                  {"discarded", "B", Sector},
                                  {"discard time", "ns", Millisecond},
                                  {"flushes", {}, 1},
                                  {"flush time", "ns", Millisecond}};
    const std::string device(pairIn(message).text);
    forEachField(message, [&](const WireField& field) {
        if (field.isBytes() || field.number < 2 || field.number >= std::size(Columns))
            return;
        const Column& column = Columns[field.number];
        add(time, TrackScope::Global, {}, "Disk " + device + ": " + std::string(column.series), {}, column.unit,
            field.value * column.factor);
    });
}

void StatsReader::takeSysStats(std::string_view message, std::int64_t time)
{
    std::int32_t cpus = 0;
    std::int32_t gpus = 0;
    forEachField(message, [&](const WireField& field) {
        const auto addGlobal = [&](const std::string& name, std::string_view unit, std::uint64_t value) {
            add(time, TrackScope::Global, {}, name, {}, unit, value);
        };
        switch (field.number) {
        case 1:
            if (const Pair pair = pairIn(field.bytes); pair.key < std::size(Meminfo))
                addGlobal(std::string(Meminfo[pair.key]), "B", pair.value * 1024);
            break;
        case 2: {
            const Pair pair = pairIn(field.bytes);
            addGlobal("vmstat " + std::to_string(pair.key), {}, pair.value);
            break;
        }
        case 3: takeCpuTimes(field.bytes, time); break;
        case 4: addGlobal("processes", {}, field.value); break;
        case 5: addGlobal("intr", {}, field.value); break;
        case 6:
        case 8: {
            const Pair pair = pairIn(field.bytes);
            addGlobal((field.number == 6 ? "irq " : "softirq ") + std::to_string(pair.key), {}, pair.value);
            break;
        }
        case 7: addGlobal("softirq", {}, field.value); break;
        case 10: {
            const Pair pair = pairIn(field.bytes);
            addGlobal("devfreq " + std::string(pair.text), "Hz", pair.value * 1000);
            break;
        }
        case 11: {
            TrackContext context;
            forEachNumber(field, [&](std::uint64_t frequency) {
                context.cpu = cpus++;
                add(time, TrackScope::Cpu, context, "Frequency", {}, "Hz", frequency * 1000);
            });
            break;
        }
        case 13: takeDisk(field.bytes, time); break;
        case 14:
            if (const Pair pair = pairIn(field.bytes); pair.key > 0 && pair.key < std::size(Pressures))
                addGlobal("Pressure: " + std::string(Pressures[pair.key]), "ns", pair.value);
            break;
        case 15: {
            const Pair pair = pairIn(field.bytes);
            addGlobal("Temperature: " + std::string(pair.text), {}, pair.value);
            break;
        }
        case 17:
            forEachNumber(field, [&](std::uint64_t frequency) {
                addGlobal("GPU " + std::to_string(gpus++) + " frequency", "Hz", frequency * 1'000'000);
            });
            break;
        default: break;
        }
    });
}

void StatsReader::takeBattery(std::string_view message, std::int64_t time)
{
    std::string name = "Battery";
    forEachField(message, [&](const WireField& field) {
        if (field.number == 5 && field.isBytes())
            name += ' ' + std::string(field.bytes);
    });
    forEachField(message, [&](const WireField& field) {
        const auto addValue = [&](std::string_view what, std::string_view unit) {
            add(time, TrackScope::Global, {}, name + ": " + std::string(what), {}, unit, field.value);
        };
        switch (field.number) {
        case 1: addValue("charge", "uAh"); break;
        case 2: {
            TrackCounter counter;
            const std::string label = name + ": capacity";
            counter.name = label;
            counter.unit = "%";
            counter.isReal = true;
            counter.real = field.real();
            m_writer.addCounter(time, TrackScope::Global, {}, counter);
            break;
        }
        case 3: addValue("current", "uA"); break;
        case 4: addValue("average current", "uA"); break;
        case 6: addValue("energy", "uWh"); break;
        case 7: addValue("voltage", "uV"); break;
        default: break;
        }
    });
}

} // namespace helio::perfetto
