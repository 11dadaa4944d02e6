#include "core/io/mapped_file.h"

#include "core/io/free_in_background.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace helio {

/// Address range of a mapped file, read by the signal handler. Regions are reused but never freed, so the handler may read a region
/// at any time. set() makes `version` odd while it changes the region. If the handler sees an odd version, or if `version` changes
/// while it reads the region, the fault occurred in another mapping: the region of a mapping in use never changes.
struct MappedFile::Region {
    std::atomic<std::uint32_t> version{0};
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> truncated{false};
    Region* next = nullptr; ///< Next region in the list of all regions; set before the region is published.
    Region* nextFree = nullptr; ///< Next region in the list of free regions. Guarded by the registry's mutex.

    void set(std::uintptr_t from, std::uintptr_t to)
    {
        version.fetch_add(1, std::memory_order_acq_rel);
        begin.store(from, std::memory_order_release);
        end.store(to, std::memory_order_release);
        truncated.store(false, std::memory_order_release);
        version.fetch_add(1, std::memory_order_release);
    }

    bool contains(std::uintptr_t address) const
    {
        const std::uint32_t before = version.load(std::memory_order_acquire);
        const bool inside = begin.load(std::memory_order_acquire) <= address && address < end.load(std::memory_order_acquire);
        return inside && before % 2 == 0 && version.load(std::memory_order_acquire) == before;
    }
};

class MappedFile::Registry {
public:
    static Region* add(const std::byte* data, std::size_t size)
    {
        const std::lock_guard lock(s_mutex);
        if (!s_isInstalled) {
            install();
            s_isInstalled = true;
        }
        Region* region = s_free;
        if (region)
            s_free = region->nextFree;
        else
            region = publishNew();
        const auto begin = reinterpret_cast<std::uintptr_t>(data);
        region->set(begin, begin + size);
        return region;
    }

    static void remove(Region* region)
    {
        const std::lock_guard lock(s_mutex);
        region->set(0, 0);
        region->nextFree = s_free;
        s_free = region;
    }

private:
    static Region* publishNew()
    {
        auto* region = new Region;
        region->next = s_regions.load(std::memory_order_relaxed);
        s_regions.store(region, std::memory_order_release);
        return region;
    }

    static void install()
    {
        s_pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        struct sigaction action = {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &s_previous);
    }

    static void onBusError(int number, siginfo_t* info, void* context)
    {
        const int savedError = errno;
        if (!putZeroPage(*info))
            passOn(number, info, context);
        errno = savedError;
    }

    /// Maps a page of zeros at the address of the fault, if the file has no bytes there. The faulting load is repeated after the handler
    /// returns, and then succeeds.
    static bool putZeroPage(const siginfo_t& info)
    {
        if (info.si_code <= 0) // The signal was sent by a program, for example with kill(2); no load faulted.
            return false;
        const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
        for (Region* region = s_regions.load(std::memory_order_acquire); region; region = region->next) {
            if (!region->contains(address))
                continue;
            void* page = reinterpret_cast<void*>(address & ~(s_pageSize - 1));
            if (::mmap(page, s_pageSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
                return false;
            region->truncated.store(true, std::memory_order_release);
            return true;
        }
        return false;
    }

    static void passOn(int number, siginfo_t* info, void* context)
    {
        if (s_previous.sa_flags & SA_SIGINFO) {
            s_previous.sa_sigaction(number, info, context);
        } else if (s_previous.sa_handler != SIG_DFL && s_previous.sa_handler != SIG_IGN) {
            s_previous.sa_handler(number);
        } else if (s_previous.sa_handler == SIG_DFL || info->si_code > 0) {
            ::signal(SIGBUS, SIG_DFL); // The signal raised here stays pending until the handler returns, then ends the process.
            ::raise(SIGBUS);
        }
    }

    static inline std::mutex s_mutex;
    static inline bool s_isInstalled = false;
    static inline Region* s_free = nullptr;
    static inline std::atomic<Region*> s_regions{nullptr};
    static inline std::uintptr_t s_pageSize = 4096;
    static inline struct sigaction s_previous = {};
};

namespace {

/// Owner of a file descriptor, which is closed at destruction.
struct Descriptor {
    int number = -1;
    explicit Descriptor(int n)
        : number(n)
    {
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (number >= 0)
            ::close(number);
    }
};

Error failure(const std::filesystem::path& path, int code)
{
    const auto kind = code == ENOENT || code == ENOTDIR ? Error::Kind::NotFound : Error::Kind::Unreadable;
    return {kind, path.string() + ": " + std::strerror(code)};
}

} // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path, std::shared_ptr<PartialFile> rest)
{
    // O_NONBLOCK: if the name is a pipe without a writer, open() must not block.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.number < 0)
        return failure(path, errno);
    return map(file.number, path, std::move(rest));
}

Result<std::shared_ptr<const MappedFile>> MappedFile::map(int descriptor, const std::filesystem::path& path,
                                                          std::shared_ptr<PartialFile> rest)
{
    struct stat facts = {};
    if (::fstat(descriptor, &facts) != 0)
        return failure(path, errno);
    if (!S_ISREG(facts.st_mode))
        return Error{Error::Kind::Unreadable, path.string() + ": not a regular file"};

    const auto size = static_cast<std::size_t>(facts.st_size);
    void* data = nullptr;
    if (size > 0) {
        data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (data == MAP_FAILED)
            return failure(path, errno);
    }
    return std::shared_ptr<const MappedFile>(new MappedFile(path, static_cast<const std::byte*>(data), stateOf(facts), std::move(rest)));
}

MappedFile::State MappedFile::stateOf(const struct stat& facts)
{
    constexpr std::int64_t NanosecondsPerSecond = 1'000'000'000;
    return {facts.st_dev, facts.st_ino, static_cast<std::uint64_t>(facts.st_size),
            facts.st_mtim.tv_sec * NanosecondsPerSecond + facts.st_mtim.tv_nsec};
}

MappedFile::MappedFile(std::filesystem::path path, const std::byte* data, const State& state, std::shared_ptr<PartialFile> rest)
    : m_path(std::move(path))
    , m_data(data)
    , m_size(state.size)
    , m_state(state)
    , m_rest(std::move(rest))
    , m_region(m_size > 0 ? Registry::add(data, m_size) : nullptr)
{
}

MappedFile::~MappedFile()
{
    if (!m_region)
        return;
    // Unregister the region before the file is unmapped: other code may map the same addresses right afterwards.
    Registry::remove(m_region);
    freeInBackground(m_size, [data = const_cast<std::byte*>(m_data), size = m_size] { ::munmap(data, size); });
}

bool MappedFile::wasTruncated() const { return m_region && m_region->truncated.load(std::memory_order_acquire); }

bool MappedFile::hasChanged() const
{
    if (wasTruncated())
        return true;
    struct stat facts = {};
    if (::stat(m_path.c_str(), &facts) != 0)
        return false;
    const State now = stateOf(facts);
    return now.device == m_state.device && now.inode == m_state.inode && now != m_state;
}

void MappedFile::advise(Advice advice, std::uint64_t offset, std::uint64_t size) const
{
    if (!m_region || offset >= m_size)
        return;
    static constexpr int Kinds[] = {MADV_NORMAL, MADV_SEQUENTIAL, MADV_RANDOM, MADV_WILLNEED, MADV_DONTNEED};
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t begin = offset / page * page;
    const std::uint64_t length = std::min<std::uint64_t>(size, m_size - offset) + (offset - begin);
    ::madvise(const_cast<std::byte*>(m_data) + begin, length, Kinds[static_cast<int>(advice)]);
}

} // namespace helio
