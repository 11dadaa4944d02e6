#include "core/formats/perfetto/process_reader.h"

#include "core/formats/perfetto/wire.h"

#include <optional>

namespace helio::perfetto {
namespace {

/// Returns the name of a process: the last part of its program's path.
std::string_view nameIn(std::string_view program)
{
    // A text without a leading slash is not a path but the name of a kernel thread, which may contain slashes, e.g. "kworker/0:1".
    if (!program.starts_with('/'))
        return program;
    return program.substr(program.rfind('/') + 1);
}

/// Returns a thread ID or process ID of a kernel other than Linux, which may have 64 bits; -1 if it has more than 31 bits.
std::int32_t threadIdIn(const WireField& field) { return field.value <= INT32_MAX ? field.int32() : -1; }

} // namespace

void ProcessReader::addName(std::int64_t time, std::int32_t tid, std::int32_t pid, std::string_view name)
{
    if (tid <= 0 || name.empty())
        return;
    ProcessRecord record;
    record.time = hostTime(time);
    record.kind = ProcessRecord::Kind::Comm;
    record.tid = tid;
    record.pid = pid;
    record.name = name;
    m_records.push_back(std::move(record));
}

/// Adds a record that the thread `tid` of the process `pid` was created by the process `parent`; -1 if the creator is unknown.
void ProcessReader::addParent(std::int64_t time, std::int32_t tid, std::int32_t pid, std::int32_t parent)
{
    if (tid <= 0 || pid <= 0)
        return;
    ProcessRecord record;
    record.time = hostTime(time);
    record.kind = ProcessRecord::Kind::Fork;
    record.tid = tid;
    record.pid = pid;
    record.parentTid = parent;
    record.parentPid = parent;
    m_records.push_back(std::move(record));
}

void ProcessReader::takeTree(std::string_view message, std::int64_t time, std::uint64_t offset)
{
    const bool isSound = forEachField(message, [&](const WireField& field) {
        if (field.number == 1 && field.isBytes())
            takeProcess(field.bytes, time);
        else if (field.number == 2 && field.isBytes())
            takeThread(field.bytes, time);
    });
    if (!isSound)
        m_log.warn("damaged-packet", offset, "a packet is damaged; its content behind the damage is missing");
}

void ProcessReader::takeProcess(std::string_view message, std::int64_t time)
{
    std::int32_t pid = -1;
    std::int32_t parent = -1;
    std::string_view program;
    std::string commandLine;
    bool hasCommandLine = false;
    std::optional<std::int64_t> user;
    forEachField(message, [&](const WireField& field) {
        switch (field.number) {
        case 1: pid = field.int32(); break;
        case 2: parent = field.int32(); break;
        case 3:
            if (!hasCommandLine)
                program = field.bytes;
            commandLine += (hasCommandLine ? " " : "") + std::string(field.bytes);
            hasCommandLine = true;
            break;
        case 5: user = field.integer(); break;
        default: break;
        }
    });
    if (pid < 0)
        return;
    m_writer.begin();
    m_writer.addNumber("pid", pid);
    if (parent >= 0)
        m_writer.addNumber("ppid", parent);
    if (user)
        m_writer.addNumber("uid", *user);
    m_writer.addText("cmdline", commandLine);
    m_writer.store("process", time, {-1, pid, pid});
    addParent(time, pid, pid, parent);
    addName(time, pid, pid, nameIn(program));
}

void ProcessReader::takeThread(std::string_view message, std::int64_t time)
{
    std::int32_t tid = -1;
    std::int32_t pid = -1;
    std::string_view name;
    forEachField(message, [&](const WireField& field) {
        if (field.number == 1)
            tid = field.int32();
        else if (field.number == 2)
            name = field.bytes;
        else if (field.number == 3)
            pid = field.int32();
    });
    if (tid < 0)
        return;
    m_writer.begin();
    m_writer.addNumber("tid", tid);
    m_writer.addNumber("pid", pid);
    m_writer.addText("name", name);
    m_writer.store("thread", time, {-1, tid, pid});
    if (tid != pid)
        addParent(time, tid, pid, pid);
    addName(time, tid, pid, name);
}

void ProcessReader::prepareGenericTree(std::string_view message)
{
    constexpr std::uint32_t Threads = 2;
    forEachField(message, [&](const WireField& field) {
        if (field.number != Threads || !field.isBytes())
            return;
        std::int32_t tid = -1;
        bool isIdle = false;
        forEachField(field.bytes, [&](const WireField& part) {
            if (part.number == 1)
                tid = threadIdIn(part);
            else if (part.number == 5)
                isIdle = part.value != 0;
        });
        if (isIdle && tid >= 0)
            m_idleThreads.insert(tid);
    });
}

void ProcessReader::takeTaskState(std::string_view message, std::int64_t time)
{
    constexpr std::string_view States[] = {"unknown", "created", "runnable", "running", "interruptible sleep", "uninterruptible sleep",
                                           "stopped", "dead",    "destroyed"};
    EventContext context;
    std::string_view name;
    std::uint64_t state = 0;
    std::optional<std::int64_t> priority;
    forEachField(message, [&](const WireField& field) {
        switch (field.number) {
        case 1: context.cpu = field.value < 65'536 ? field.int32() : -1; break;
        case 2: name = field.bytes; break;
        case 3: context.tid = threadIdIn(field); break;
        case 4: state = field.value; break;
        case 5: priority = field.integer(); break;
        default: break;
        }
    });
    constexpr std::uint64_t Running = 3;
    if (state != Running) // Only this state tells the CPU (protos/perfetto/trace/generic_kernel/generic_task.proto).
        context.cpu = -1;
    m_writer.begin();
    m_writer.addText("comm", name);
    m_writer.addNumber("tid", context.tid);
    m_writer.addText("state", state < std::size(States) ? States[state] : m_writer.keep("state " + std::to_string(state)));
    if (priority)
        m_writer.addNumber("prio", *priority);
    if (m_idleThreads.contains(context.tid))
        m_writer.addNumber("idle", 1);
    m_writer.store("task_state", time, context);
}

void ProcessReader::takeTaskName(std::string_view message, std::int64_t time)
{
    std::int32_t tid = -1;
    std::string_view name;
    forEachField(message, [&](const WireField& field) {
        if (field.number == 1)
            tid = threadIdIn(field);
        else if (field.number == 2)
            name = field.bytes;
    });
    m_writer.begin();
    m_writer.addNumber("pid", tid);
    m_writer.addText("newcomm", name);
    m_writer.store("task_rename", time, {-1, tid});
    addName(time, tid, -1, name);
}

void ProcessReader::takeFrequency(std::string_view message, std::int64_t time)
{
    constexpr std::int64_t Kilohertz = 1000;
    EventContext context;
    std::int64_t frequency = 0;
    forEachField(message, [&](const WireField& field) {
        if (field.number == 1)
            context.cpu = field.value < 65'536 ? field.int32() : -1;
        else if (field.number == 2)
            frequency = field.integer();
    });
    m_writer.begin();
    m_writer.addNumber("state", frequency / Kilohertz);
    m_writer.addNumber("cpu_id", context.cpu);
    m_writer.store("cpu_frequency", time, context);
}

void ProcessReader::takeGenericTree(std::string_view message, std::int64_t time, std::uint64_t offset)
{
    const bool isSound = forEachField(message, [&](const WireField& field) {
        if (!field.isBytes())
            return;
        std::int32_t id = -1;
        std::int32_t other = -1; // ID of the parent process if the message describes a process; ID of the process if it describes a thread.
        std::string_view name;
        forEachField(field.bytes, [&](const WireField& part) {
            if (part.number == 1)
                id = threadIdIn(part);
            else if (part.number == 2)
                other = threadIdIn(part);
            else if (part.number == 3)
                name = part.bytes;
        });
        if (id < 0)
            return;
        const bool isProcess = field.number == 1;
        m_writer.begin();
        m_writer.addNumber(isProcess ? "pid" : "tid", id);
        m_writer.addNumber(isProcess ? "ppid" : "pid", other);
        m_writer.addText(isProcess ? "cmdline" : "name", name);
        m_writer.store(isProcess ? "process" : "thread", time, {-1, id, isProcess ? id : other});
        if (isProcess) {
            addParent(time, id, id, other);
            addName(time, id, id, name.substr(0, name.find(' ')));
        } else {
            if (id != other)
                addParent(time, id, other, other);
            addName(time, id, other, name);
        }
    });
    if (!isSound)
        m_log.warn("damaged-packet", offset, "a packet is damaged; its content behind the damage is missing");
}

} // namespace helio::perfetto
