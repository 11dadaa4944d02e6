#include "core/remote/remote_index.h"

#include "core/base/json.h"
#include "core/base/version.h"
#include "core/io/unpack.h"
#include "core/remote/index_listing.h"
#include "core/remote/mirrored_file.h"
#include "core/remote/remote_address.h"
#include "core/remote/remote_session.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <functional>
#include <map>
#include <mutex>
#include <nettle/base64.h>
#include <optional>
#include <ranges>
#include <set>
#include <simdjson.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <xxhash.h>

namespace helio {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr std::uint64_t MostAheadBytes = std::uint64_t{2} << 30; ///< A larger index is fetched ahead only near what was read last.
constexpr std::size_t MostRequests = 512; ///< Maximum number of requests that wait for their response.
constexpr std::size_t MostAheadRequests = 16; ///< Maximum number of these that fetch ahead.
constexpr std::size_t AheadPieces = 128; ///< Number of pieces behind the last needed one that are fetched ahead in a large index.
constexpr auto MostSilence = std::chrono::seconds(30); ///< Time without a response after which a connection counts as lost.
constexpr std::size_t MostAttempts = 4; ///< Number of attempts without a piece after which readers wait no longer than MostLoss.
constexpr auto MostLoss = std::chrono::seconds(10); ///< Time for which readers wait for a lost connection to return.

/// A piece of a file of the index.
struct PieceId {
    std::size_t file = 0; ///< Index of the file.
    std::size_t piece = 0;
    auto operator<=>(const PieceId&) const = default;
};

/// The traces that Heliograph on the other machine has opened.
struct OpenedThere {
    std::unique_ptr<RemoteSession> session;
    std::string trace; ///< Number by which the other Heliograph knows the traces.
    std::vector<ListedTrace> traces;
    std::string signature; ///< Hash of names, sizes and contents of all files.
    std::vector<std::string> messages;
};

std::string jsonObject(const std::function<void(JsonWriter&)>& members)
{
    std::string text;
    JsonWriter json(text);
    json.beginObject();
    members(json);
    json.endObject();
    return text;
}

/// Returns a member of an object as JSON text; a string without its quotes. Empty if it is absent.
std::string memberOf(const std::string& json, const char* key)
{
    simdjson::dom::parser parser;
    simdjson::dom::element document;
    simdjson::dom::element member;
    if (parser.parse(json).get(document) != simdjson::SUCCESS || document[key].get(member) != simdjson::SUCCESS)
        return {};
    std::string_view text;
    return member.get_string().get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(member);
}

std::vector<std::string> textsOf(const std::string& json, const char* key)
{
    simdjson::dom::parser parser;
    simdjson::dom::element document;
    simdjson::dom::array array;
    std::vector<std::string> texts;
    if (parser.parse(json).get(document) != simdjson::SUCCESS || document[key].get_array().get(array) != simdjson::SUCCESS)
        return texts;
    std::string_view text;
    for (const simdjson::dom::element element : array)
        if (element.get_string().get(text) == simdjson::SUCCESS)
            texts.emplace_back(text);
    return texts;
}

/// Returns the XXH3-64 hash of a text in hexadecimal digits.
std::string hashOf(std::string_view text)
{
    constexpr char Digits[] = "0123456789abcdef";
    std::string hash;
    for (std::uint64_t bits = XXH3_64bits(text.data(), text.size()), i = 0; i < 16; ++i, bits >>= 4)
        hash += Digits[bits & 15];
    return hash;
}

std::string signatureOf(const std::vector<ListedTrace>& traces)
{
    std::string all;
    for (const ListedTrace& trace : traces)
        for (const ListedFile& file : trace.files)
            all += trace.folder + '/' + file.name + '/' + std::to_string(file.size) + '/' + file.hash + '\n';
    return hashOf(all);
}

/// Connects, and lets the other Heliograph open and index the traces.
Result<OpenedThere> openThere(const RemoteAddress& address, const std::stop_token& stop)
{
    OpenedThere opened;
    auto session = RemoteSession::start(address.host);
    if (!session)
        return session.error();
    opened.session = std::move(*session);
    const auto versionThere = opened.session->call("version", "{}", stop, MostSilence);
    if (!versionThere)
        return versionThere.error();
    if (const std::string other = memberOf(*versionThere, "version"); other != version())
        return Error{Error::Kind::Unsupported,
                     address.host + " has Heliograph " + other + ", and this is " + std::string(version())
                         + ": both must be of the same version"};
    const auto traces = opened.session->call("open", jsonObject([&](JsonWriter& json) {
                                                 json.key("paths").beginArray();
                                                 json.value(address.path);
                                                 json.endArray();
                                             }),
                                             stop);
    if (!traces)
        return traces.error();
    if (memberOf(*traces, "status") != "0")
        opened.messages = textsOf(*traces, "messages");
    opened.trace = memberOf(*traces, "trace");
    if (opened.trace.empty() || !std::ranges::all_of(opened.trace, [](char c) { return c >= '0' && c <= '9'; }))
        return Error{Error::Kind::Corrupt, address.host + " answers something else than Heliograph does"};
    const auto listing = opened.session->call("index", "{\"trace\":" + opened.trace + '}', stop);
    if (!listing)
        return listing.error();
    auto listed = readIndexListing(*listing);
    if (!listed)
        return Error{listed.error().kind, address.host + ": " + listed.error().what};
    opened.traces = std::move(*listed);
    opened.signature = signatureOf(opened.traces);
    return opened;
}

/// Decodes the bytes of a piece: base64 of a zstd frame.
Result<std::vector<std::byte>> decodePiece(std::string_view text, std::uint64_t size)
{
    base64_decode_ctx context;
    base64_decode_init(&context);
    std::vector<std::uint8_t> packed(BASE64_DECODE_LENGTH(text.size()));
    std::size_t count = packed.size();
    if (!base64_decode_update(&context, &count, packed.data(), text.size(), text.data()) || !base64_decode_final(&context))
        return Error{Error::Kind::Corrupt, "invalid base64"};
    std::vector<std::byte> piece(static_cast<std::size_t>(size));
    if (Status done = unpackBlock("zstd", std::as_bytes(std::span(packed).first(count)), piece); !done)
        return done.error();
    return piece;
}

constexpr const char* LockFile = ".lock"; ///< File in the folder of a copy, which is locked while a process uses the copy.

/// Folder with a copy that this process alone uses.
struct LockedFolder {
    fs::path path;
    int lock = -1;
};

/// Creates and locks the folder of a copy. If another process uses it, another folder is taken.
Result<LockedFolder> lockFolder(const fs::path& cache, const std::string& name)
{
    constexpr int Most = 32;
    std::error_code error;
    for (int number = 1; number <= Most; ++number) {
        const fs::path path = cache / (number == 1 ? name : name + '-' + std::to_string(number));
        fs::create_directories(path, error);
        const int lock = ::open((path / LockFile).c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (lock < 0)
            return Error{Error::Kind::Unreadable, "cannot write " + path.string() + ": " + std::strerror(errno)};
        if (::flock(lock, LOCK_EX | LOCK_NB) == 0) {
            fs::last_write_time(path, fs::file_time_type::clock::now(), error); // The least recently used folder is removed first.
            return LockedFolder{path, lock};
        }
        ::close(lock);
    }
    return Error{Error::Kind::Full, "too many processes have opened this remote trace"};
}

class FetchedIndex final : public RemoteIndex, private MirroredFile::Fetcher, public std::enable_shared_from_this<FetchedIndex> {
public:
    FetchedIndex(RemoteAddress address, OpenedThere opened, LockedFolder folder)
        : m_address(std::move(address))
        , m_folder(std::move(folder))
        , m_opened(std::move(opened))
        , m_wakeUp(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
    {
    }

    ~FetchedIndex() override
    {
        m_thread.request_stop();
        wakeUp();
        if (m_thread.joinable())
            m_thread.join();
        for (const auto& file : m_files)
            file->save();
        if (m_wakeUp >= 0)
            ::close(m_wakeUp);
        ::close(m_folder.lock);
    }

    /// Makes the copies of all files, and begins to fetch.
    Status begin(const std::stop_token& stop)
    {
        const bool isAlone = m_opened.traces.size() == 1;
        std::vector<std::pair<std::size_t, ListedRange>> first;
        std::vector<std::size_t> descriptions;
        for (const ListedTrace& trace : m_opened.traces) {
            const fs::path folder = isAlone ? m_folder.path : m_folder.path / trace.folder;
            std::error_code error;
            fs::create_directories(folder, error);
            descriptions.push_back(m_files.size());
            for (const ListedFile& listed : trace.files) {
                auto file = MirroredFile::open(folder / listed.name, listed.size, *this);
                if (!file)
                    return file.error();
                for (const ListedRange& range : listed.first)
                    first.emplace_back(m_files.size(), range);
                m_names.push_back(listed.name);
                m_bytes += listed.size;
                m_pieces += (*file)->pieceCount();
                m_files.push_back(std::move(*file));
            }
        }
        for (std::size_t i = 0; i < m_files.size(); ++i)
            m_numbers.emplace(m_files[i].get(), i);
        {
            const std::lock_guard lock(m_mutex);
            for (const auto& [file, range] : first)
                if (range.size > 0)
                    demand(file, range.offset / PieceBytes, (range.offset + range.size - 1) / PieceBytes);
        }
        try {
            m_thread = std::jthread([this](const std::stop_token& ending) { run(ending); });
        } catch (const std::system_error& error) {
            return Error{Error::Kind::Full, std::string("cannot start a thread: ") + error.what()};
        }
        // The descriptions are read as a whole by a reader that knows nothing of partial files.
        for (const std::size_t description : descriptions)
            if (const auto& file = m_files[description]; !file->require(0, file->size(), stop))
                return stop.stop_requested() ? Error{Error::Kind::Cancelled, "cancelled"} : Error{Error::Kind::Unreadable, problem()};
        return Done{};
    }

    const fs::path& folder() const override { return m_folder.path; }
    const std::vector<std::string>& messages() const override { return m_opened.messages; }
    std::string machine() const override { return m_address.host; }

    std::shared_ptr<PartialFile> file(const fs::path& path) const override
    {
        const auto found = std::ranges::find(m_files, path, [](const auto& it) { return it->path(); });
        if (found == m_files.end())
            return nullptr;
        return {shared_from_this(), found->get()}; // The owner of a file owns the connection, too.
    }

    std::string problem() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_problem;
    }

private:
    void wakeUp()
    {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = ::write(m_wakeUp, &one, sizeof one);
    }

    bool isGone() const { return m_isBroken || (m_lostSince && SteadyClock::now() - *m_lostSince > MostLoss); }

    /// Puts the missing pieces of a range in the queue. Requires: m_mutex is locked. Returns true if there were any.
    bool demand(std::size_t file, std::size_t first, std::size_t last)
    {
        bool isAny = false;
        for (std::size_t piece = first; piece <= last && piece < m_files[file]->pieceCount(); ++piece)
            if (const PieceId id{file, piece}; !m_files[file]->mayHavePiece(piece) && m_requested.insert(id).second) {
                m_demanded.push_back(id);
                isAny = true;
            }
        if (isAny) {
            m_ahead = {file, last + 1};
            m_aheadLeft = AheadPieces;
        }
        return isAny;
    }

    void fetch(MirroredFile& file, std::size_t first, std::size_t last) override
    {
        const std::lock_guard lock(m_mutex);
        if (!isGone() && demand(m_numbers.at(&file), first, last))
            wakeUp();
    }

    bool waitFor(MirroredFile& file, std::size_t first, std::size_t last, const std::stop_token& stop) override
    {
        const auto hasAll = [&] {
            for (std::size_t piece = first; piece <= last; ++piece)
                if (!file.hasPiece(piece))
                    return false;
            return true;
        };
        constexpr auto Slice = std::chrono::seconds(1); // Time after which a lost connection is noticed.
        std::unique_lock lock(m_mutex);
        while (!hasAll()) {
            if (stop.stop_requested() || isGone())
                return false;
            if (demand(m_numbers.at(&file), first, last)) // Not requested yet, because the connection was lost at that time.
                wakeUp();
            m_came.wait_for(lock, stop, Slice, hasAll);
        }
        return true;
    }

    /// Returns the next piece to request; nullopt if there is none now. Requires: m_mutex is locked.
    std::optional<PieceId> nextPiece()
    {
        if (m_demanded.empty())
            return m_sent.size() < m_aheadWindow ? nextAhead() : std::nullopt;
        if (m_sent.size() >= MostRequests)
            return {};
        const PieceId id = m_demanded.front();
        m_demanded.pop_front();
        return id;
    }

    /// Returns the next piece to fetch ahead: the first missing one behind what was needed last.
    std::optional<PieceId> nextAhead()
    {
        const bool isAll = m_bytes <= MostAheadBytes;
        for (std::size_t looked = 0; looked <= m_pieces + m_files.size() && (isAll || m_aheadLeft > 0); ++looked) {
            if (m_ahead.file >= m_files.size())
                m_ahead = {0, 0};
            const MirroredFile& file = *m_files[m_ahead.file];
            if (m_ahead.piece >= file.pieceCount()) {
                if (!isAll)
                    return {};
                m_ahead = {m_ahead.file + 1, 0};
                continue;
            }
            const PieceId id = m_ahead;
            ++m_ahead.piece;
            if (!isAll)
                --m_aheadLeft;
            if (!file.mayHavePiece(id.piece) && m_requested.insert(id).second)
                return id;
        }
        return {};
    }

    void sendRequests()
    {
        const std::lock_guard lock(m_mutex);
        while (const auto id = nextPiece()) {
            const std::uint64_t number = ++m_lastNumber;
            m_sent.emplace(number, SentPiece{*id, SteadyClock::now()});
            const std::string params = jsonObject([&](JsonWriter& json) {
                json.key("trace").written(m_opened.trace);
                json.member("file", m_names[id->file]);
                json.member("offset", static_cast<std::uint64_t>(id->piece * PieceBytes));
                json.member("bytes", m_files[id->file]->pieceSize(id->piece));
            });
            if (!m_opened.session->send(number, "read", params)) {
                m_hasFailedToSend = true;
                return;
            }
        }
    }

    /// Problem that ends a connection.
    struct Problem {
        std::string what;
        bool isFinal = false; ///< True if connecting again cannot help.
    };

    /// Takes a response. Returns the problem, if there is one.
    std::optional<Problem> take(const std::string& line)
    {
        const auto response = readResponse(line);
        if (!response)
            return Problem{m_address.host + " answers something else than Heliograph does", true};
        if (response->id == 0)
            return {}; // The error of a request that was cut, because the connection is breaking.
        SentPiece sent;
        {
            const std::lock_guard lock(m_mutex);
            const auto found = m_sent.find(response->id);
            if (found == m_sent.end())
                return Problem{m_address.host + " answers what was not asked", true};
            sent = found->second;
            m_sent.erase(found);
            m_lastResponse = SteadyClock::now();
            adaptWindow(m_lastResponse - sent.time);
        }
        if (!response->error.empty()) {
            const std::lock_guard lock(m_mutex);
            m_demanded.push_front(sent.id);
            return Problem{m_address.host + ": " + response->error, false};
        }
        const auto bytes = decodePiece(response->data.value_or(""), m_files[sent.id.file]->pieceSize(sent.id.piece));
        const Status put = bytes ? m_files[sent.id.file]->put(sent.id.piece, *bytes) : Status(bytes.error());
        const std::lock_guard lock(m_mutex);
        m_requested.erase(sent.id);
        if (!put) {
            const bool isTheirs = put.error().kind == Error::Kind::Corrupt;
            return Problem{(isTheirs ? m_address.host + ": " : std::string()) + put.error().what, true};
        }
        m_attempts = 0;
        m_came.notify_all();
        return {};
    }

    /// Changes the number of pieces that are fetched ahead, so that a needed piece does not wait long behind them on a slow line.
    void adaptWindow(SteadyClock::duration took)
    {
        constexpr auto Queueing = std::chrono::milliseconds(40); // Time that a needed piece may have to wait longer.
        m_shortest = std::min(m_shortest, took);
        if (took > m_shortest + Queueing)
            m_aheadWindow = std::max<std::size_t>(m_aheadWindow / 2, 1);
        else
            m_aheadWindow = std::min(m_aheadWindow + 1, MostAheadRequests);
    }

    /// Notes that the connection is lost, and why. What was requested is requested again once the connection is back.
    void lose(Problem problem)
    {
        const std::lock_guard lock(m_mutex);
        m_problem = std::move(problem.what);
        m_isBroken = problem.isFinal;
        if (!m_lostSince)
            m_lostSince = SteadyClock::now();
        for (const auto& [number, sent] : std::views::reverse(m_sent))
            m_demanded.push_front(sent.id);
        m_sent.clear();
        m_hasFailedToSend = false;
        m_opened.session.reset();
        m_came.notify_all();
    }

    /// Connects again. Returns false if that failed.
    bool reconnect(const std::stop_token& stop)
    {
        auto opened = openThere(m_address, stop);
        const std::lock_guard lock(m_mutex);
        if (!opened) {
            m_problem = opened.error().what;
            return false;
        }
        if (opened->signature != m_opened.signature) {
            m_isBroken = true;
            m_problem = m_address.host + ": the trace or its index has changed; open it again";
            return false;
        }
        m_opened.session = std::move(opened->session);
        m_opened.trace = opened->trace;
        if (m_attempts < MostAttempts) { // Otherwise, the connection breaks each time before a piece comes.
            m_problem.clear();
            m_lostSince.reset();
        }
        m_lastResponse = SteadyClock::now();
        return true;
    }

    void run(const std::stop_token& stop)
    {
        constexpr int Slice = 500; // Milliseconds.
        m_lastResponse = SteadyClock::now();
        while (!stop.stop_requested() && !m_isBroken) {
            if (!m_opened.session) {
                if (!pauseBeforeAttempt(stop) || !reconnect(stop))
                    continue;
            }
            sendRequests();
            std::optional<Problem> problem;
            for (const std::string& line : m_opened.session->receive(Slice, m_wakeUp))
                if (problem = take(line); problem)
                    break;
            std::uint64_t ignored = 0;
            [[maybe_unused]] const ssize_t got = ::read(m_wakeUp, &ignored, sizeof ignored);
            if (!problem && (m_opened.session->isLost() || m_hasFailedToSend))
                problem = Problem{m_opened.session->lost().what};
            if (!problem && isSilent())
                problem = Problem{m_address.host + " does not answer"};
            if (problem)
                lose(std::move(*problem));
            saveNowAndThen();
        }
    }

    /// Saves which pieces came, so that they are kept even if the process is killed.
    void saveNowAndThen()
    {
        constexpr auto Interval = std::chrono::seconds(10);
        if (SteadyClock::now() - m_lastSave < Interval)
            return;
        for (const auto& file : m_files)
            file->save();
        m_lastSave = SteadyClock::now();
    }

    bool isSilent()
    {
        const std::lock_guard lock(m_mutex);
        if (m_sent.empty())
            m_lastResponse = SteadyClock::now();
        return SteadyClock::now() - m_lastResponse > MostSilence;
    }

    /// Waits longer before each further attempt. Returns false if a stop was requested.
    bool pauseBeforeAttempt(const std::stop_token& stop)
    {
        constexpr std::array Seconds{0, 1, 2, 4, 8, 15, 30, 60, 120, 300};
        std::unique_lock lock(m_mutex);
        const auto pause = std::chrono::seconds(Seconds[std::min(m_attempts++, Seconds.size() - 1)]);
        m_pause.wait_for(lock, stop, pause, [] { return false; });
        return !stop.stop_requested();
    }

    struct SentPiece {
        PieceId id;
        SteadyClock::time_point time;
    };

    const RemoteAddress m_address;
    const LockedFolder m_folder;
    std::vector<std::shared_ptr<MirroredFile>> m_files;
    std::vector<std::string> m_names; ///< Names of the files on the other machine.
    std::map<const MirroredFile*, std::size_t> m_numbers; ///< Indices of the files.
    std::uint64_t m_bytes = 0; ///< Size of all files in bytes.
    std::size_t m_pieces = 0; ///< Number of pieces of all files.

    OpenedThere m_opened; ///< `session` is used by the thread alone, and is null while the connection is lost.
    SteadyClock::time_point m_lastSave = SteadyClock::now();
    SteadyClock::duration m_shortest = SteadyClock::duration::max(); ///< Shortest time from a request to its response.

    mutable std::mutex m_mutex; ///< Guards the members below.
    std::condition_variable_any m_came; ///< Signalled when a piece has come, or cannot come.
    std::condition_variable_any m_pause;
    std::deque<PieceId> m_demanded; ///< Pieces to request next, in order.
    std::set<PieceId> m_requested; ///< Pieces that are demanded or sent.
    std::map<std::uint64_t, SentPiece> m_sent; ///< Requests without a response, by their ID.
    PieceId m_ahead; ///< Piece from which to fetch ahead.
    std::size_t m_aheadLeft = 0; ///< Number of pieces to fetch ahead, if the index is large.
    std::size_t m_aheadWindow = 2; ///< Number of requests up to which pieces are fetched ahead.
    std::uint64_t m_lastNumber = 0; ///< ID of the last request.
    SteadyClock::time_point m_lastResponse;
    std::optional<SteadyClock::time_point> m_lostSince; ///< Time at which the connection was lost.
    std::string m_problem;
    std::size_t m_attempts = 0; ///< Number of attempts to connect again since the last piece came.
    bool m_hasFailedToSend = false;
    std::atomic<bool> m_isBroken = false; ///< True if connecting again cannot help.

    int m_wakeUp;
    std::jthread m_thread; ///< Last, so that it ends first.
};

} // namespace

bool isMirrorInUse(const fs::path& folder)
{
    const int lock = ::open((folder / LockFile).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0)
        return false;
    const bool isUsed = ::flock(lock, LOCK_EX | LOCK_NB) != 0;
    ::close(lock);
    return isUsed;
}

Result<std::shared_ptr<RemoteIndex>> RemoteIndex::open(std::string_view address, const fs::path& cache, std::stop_token stop)
{
    auto parsed = parseRemoteAddress(address);
    if (!parsed)
        return parsed.error();
    auto opened = openThere(*parsed, stop);
    if (!opened)
        return opened.error();
    auto folder = lockFolder(cache, std::string(MirrorPrefix) + hashOf(std::string(address) + '\n' + opened->signature));
    if (!folder)
        return folder.error();
    auto index = std::make_shared<FetchedIndex>(std::move(*parsed), std::move(*opened), std::move(*folder));
    if (Status begun = index->begin(stop); !begun)
        return begun.error();
    PartialFolder::announce(index->folder(), index);
    return std::shared_ptr<RemoteIndex>(std::move(index));
}

} // namespace helio
