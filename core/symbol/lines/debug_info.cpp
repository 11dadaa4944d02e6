#include "core/symbol/lines/debug_info.h"

#include "core/symbol/libdw/debug_info_messages.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

namespace helio {
namespace {

constexpr int MostFailures = 3; ///< Number of crashes and hangs after which a file is not read further.
constexpr std::size_t MostProcesses = 24; ///< Maximum number of helper processes at the same time.
constexpr std::size_t MostSplitFileBytes = 1 << 20; ///< Limit of the length of all paths that are passed as arguments.
constexpr ProcessLimits Limits{.cpuSeconds = 30, .silence = std::chrono::seconds(60)};
constexpr std::size_t MostSplitFiles = 10'000;

/// Open file, closed at destruction.
class Descriptor {
public:
    explicit Descriptor(int number = -1)
        : m_number(number)
    {
    }
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    Descriptor(Descriptor&& other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    {
    }
    Descriptor& operator=(Descriptor&&) = delete;
    int number() const { return m_number; }

private:
    int m_number;
};

/// Copies a file's bytes into a file in memory.
Descriptor copyOf(const ElfFile& file)
{
    Descriptor copy(::memfd_create("debug-info", MFD_CLOEXEC));
    for (auto left = file.bytes(); copy.number() >= 0 && !left.empty();) {
        const ssize_t written = ::write(copy.number(), left.data(), left.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return Descriptor();
        left = left.subspan(static_cast<std::size_t>(written));
    }
    return copy;
}

/// Opens the bytes of a file for a helper process: the file again, or a copy if it has no path or was replaced after it was opened. A
/// replaced file is recognized by its size and build-id.
Descriptor openAgain(const ElfFile& file)
{
    Descriptor again(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (again.number() >= 0)
        if (const auto elf = ElfFile::map(again.number(), file.path());
            elf && (*elf)->bytes().size() == file.bytes().size() && (*elf)->buildId() == file.buildId())
            return again;
    return copyOf(file);
}

/// Returns the paths that the helper process may read: those that name regular files, as the compiler calls them.
std::vector<std::string> readableSplitFiles(std::vector<std::string> paths)
{
    std::size_t bytes = 0;
    std::error_code ignored;
    paths.resize(std::min(paths.size(), MostSplitFiles));
    std::erase_if(paths, [&](const std::string& path) {
        const bool isWanted = path.starts_with('/') && path.ends_with(".dwo") && path.find('\0') == std::string::npos
            && bytes < MostSplitFileBytes && std::filesystem::is_regular_file(path, ignored);
        bytes += isWanted ? path.size() : 0;
        return !isWanted;
    });
    return paths;
}

/// Debug information that heliograph-libdw reads. The process is started when it is needed, and may be ended while it is idle.
class HelperDebugInfo final : public DebugInfo {
public:
    HelperDebugInfo(std::shared_ptr<const ElfFile> file, std::shared_ptr<const ElfFile> sharedFile, std::size_t mostBytes)
        : m_file(std::move(file))
        , m_sharedFile(std::move(sharedFile))
        , m_mostBytes(mostBytes)
    {
    }
    ~HelperDebugInfo() override { leaveProcesses(); }

    /// Starts the process. Returns false if there is no debug information, or if problem() is not empty.
    bool open()
    {
        const std::lock_guard lock(m_mutex);
        return start() && m_hasUnits;
    }

    std::vector<SymbolFrame> framesAt(std::uint64_t vaddr) override
    {
        return ask<std::vector<SymbolFrame>>(DebugInfoMessage::FramesAt, vaddr);
    }
    std::vector<LineRange> linesOf(std::uint64_t begin, std::uint64_t end) override
    {
        return ask<std::vector<LineRange>>(DebugInfoMessage::LinesOf, begin, end);
    }
    std::string problem() const override { return m_hasGivenUp ? m_problem : std::string(); }

private:
    template <typename Answer, typename... Values> Answer ask(DebugInfoMessage kind, const Values&... values)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_process && !start())
            return {};
        WireWriter request(kind);
        request(values...);
        m_process->write(static_cast<std::uint8_t>(kind), request.message().subspan(sizeof(MessageHeader)));
        auto answer = receive<Answer>(kind);
        return answer ? std::move(*answer) : Answer();
    }

    /// Waits for a message of the process; nullopt if it fails.
    template <typename Content> std::optional<Content> receive(DebugInfoMessage kind)
    {
        const auto message = m_process->wait();
        if (!message) {
            fail(message.error());
            return {};
        }
        WireReader wire(message->bytes);
        Content content;
        wire(content);
        if (wire.isGood() && message->kind == static_cast<std::uint8_t>(kind))
            return content;
        fail({Error::Kind::Corrupt, "invalid answer from libdw"});
        return {};
    }

    /// Requires: m_mutex is held.
    bool start()
    {
        while (!m_hasGivenUp) {
            const Descriptor file = openAgain(*m_file);
            const Descriptor shared = m_sharedFile ? openAgain(*m_sharedFile) : Descriptor();
            if (file.number() < 0)
                return false; // For example, too many files are open; the next query tries again.
            const bool hasShared = shared.number() >= 0;
            const int files[] = {file.number(), shared.number()};
            std::vector<std::string> arguments{std::to_string(m_mostBytes), hasShared ? "1" : "0"};
            arguments.insert(arguments.end(), m_splitFiles.begin(), m_splitFiles.end());
            auto process = HelperProcess::start(Libdw, std::move(arguments), Limits, std::span(files).first(hasShared ? 2 : 1));
            if (!process) {
                fail(process.error());
                return false;
            }
            m_process = std::move(*process);
            auto opened = receive<OpenedDebugInfo>(DebugInfoMessage::Opened);
            if (!opened)
                continue;
            m_hasUnits = opened->hasUnits;
            // Only this process knows where the rest of the information lies; the next one may read it.
            auto splitFiles = m_isSplitKnown ? std::vector<std::string>() : readableSplitFiles(std::move(opened->splitFiles));
            m_isSplitKnown = true;
            if (splitFiles.empty()) {
                joinProcesses();
                return true;
            }
            m_splitFiles = std::move(splitFiles);
        }
        return false;
    }

    /// Counts a failure of the process and ends it.
    void fail(const Error& why)
    {
        leaveProcesses();
        m_process.reset();
        const bool isFinal = ++m_failures >= MostFailures || why.kind == Error::Kind::Unsupported; // Unsupported: it is not installed.
        if (!isFinal || m_hasGivenUp)
            return;
        m_problem = m_file->path().string() + ": its debug information cannot be read: " + why.what;
        m_hasGivenUp = true;
    }

    // All objects with a process, the one that was started last at the end. If there are too many, those at the front lose their
    // processes, unless they are busy.
    static std::mutex& processesMutex()
    {
        static std::mutex mutex;
        return mutex;
    }
    static std::list<HelperDebugInfo*>& processes()
    {
        static std::list<HelperDebugInfo*> list;
        return list;
    }
    void joinProcesses()
    {
        const std::lock_guard lock(processesMutex());
        processes().remove(this);
        for (auto other = processes().begin(); processes().size() >= MostProcesses && other != processes().end();) {
            const std::unique_lock isIdle((*other)->m_mutex, std::try_to_lock);
            if (isIdle)
                (*other)->m_process.reset();
            other = isIdle ? processes().erase(other) : std::next(other);
        }
        processes().push_back(this);
    }
    void leaveProcesses()
    {
        const std::lock_guard lock(processesMutex());
        processes().remove(this);
    }

    const std::shared_ptr<const ElfFile> m_file;
    const std::shared_ptr<const ElfFile> m_sharedFile;
    const std::size_t m_mostBytes;
    mutable std::mutex m_mutex; ///< Guards all members below.
    std::unique_ptr<HelperProcess> m_process;
    int m_failures = 0; ///< Number of processes that crashed or hung.
    bool m_hasUnits = false;
    bool m_isSplitKnown = false; ///< True if a process has listed the files with split-off information.
    std::vector<std::string> m_splitFiles; ///< Paths of these files, as far as they exist.
    std::string m_problem; ///< Written once, before m_hasGivenUp becomes true; may be read without m_mutex afterwards.
    std::atomic<bool> m_hasGivenUp = false;
};

} // namespace

std::shared_ptr<DebugInfo> DebugInfo::make(std::shared_ptr<const ElfFile> file, const FindShared& findShared, std::size_t mostBytes,
                                           std::string* problem)
{
    if (file->isRelocatable())
        return nullptr;
    const auto link = findShared ? file->sharedDebugLink() : std::nullopt;
    auto shared = link ? findShared(link->name, link->buildId) : nullptr;
    auto info = std::make_shared<HelperDebugInfo>(std::move(file), std::move(shared), mostBytes);
    if (info->open())
        return info;
    if (problem)
        *problem = info->problem();
    return nullptr;
}

} // namespace helio
