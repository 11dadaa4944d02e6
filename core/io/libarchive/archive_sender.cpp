#include "core/io/libarchive/archive_sender.h"

#include "core/io/libarchive/archive_messages.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <memory>

namespace helio {
namespace {

constexpr std::size_t BlockSize = 1 << 18;
/// Maximum number of nested compressions, including that of the archive itself; a deeper nesting is treated as an attack.
constexpr int MaxFilters = 3;

class Sender {
public:
    explicit Sender(const SendMessage& send)
        : m_archive(archive_read_new(), &archive_read_free)
        , m_send(send)
    {
        archive_read_support_format_tar(get());
        archive_read_support_format_zip(get());
        archive_read_support_filter_gzip(get());
        archive_read_support_filter_zstd(get());
        archive_read_support_filter_xz(get());
        archive_read_support_filter_bzip2(get());
    }

    void sendAll(int file)
    {
        if (archive_read_open_fd(get(), file, BlockSize) != ARCHIVE_OK || archive_filter_count(get()) > MaxFilters)
            return sendFailure();
        for (;;) {
            archive_entry* entry = nullptr;
            const int code = archive_read_next_header(get(), &entry);
            if (code == ARCHIVE_EOF)
                return send(WireWriter(ArchiveMessage::End));
            if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
                return sendFailure();
            if (!sendEntry(entry))
                return;
        }
    }

private:
    archive* get() const { return m_archive.get(); }

    void send(WireWriter message) { m_send(message.message()); }
    void sendFailure()
    {
        const char* text = archive_error_string(get());
        WireWriter message(ArchiveMessage::Failure);
        message(std::string(text ? text : "not a readable archive"));
        send(std::move(message));
    }

    /// Sends an entry with its content. Returns false after a failure.
    bool sendEntry(archive_entry* entry)
    {
        const char* name = archive_entry_pathname(entry);
        if (!name)
            name = archive_entry_pathname_utf8(entry);
        ArchiveEntry sent;
        if (name)
            sent.name = name;
        if (archive_entry_size_is_set(entry))
            sent.size = static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_entry_size(entry)));
        sent.isSparse = archive_entry_sparse_count(entry) > 0;
        const auto type = archive_entry_filetype(entry);
        const bool isLink = archive_entry_hardlink(entry) || archive_entry_symlink(entry);
        sent.type = isLink     ? ArchiveEntry::Type::Link
            : type == AE_IFREG ? ArchiveEntry::Type::File
            : type == AE_IFDIR ? ArchiveEntry::Type::Folder
                               : ArchiveEntry::Type::Other;
        WireWriter message(ArchiveMessage::Entry);
        message(sent);
        send(std::move(message));
        return sent.type != ArchiveEntry::Type::File || sendContent();
    }

    bool sendContent()
    {
        for (;;) {
            const void* data = nullptr;
            std::size_t size = 0;
            la_int64_t offset = 0;
            const int code = archive_read_data_block(get(), &data, &size, &offset);
            if (code == ARCHIVE_EOF)
                return true;
            if ((code != ARCHIVE_OK && code != ARCHIVE_WARN) || offset < 0) {
                sendFailure();
                return false;
            }
            if (size == 0)
                continue;
            WireWriter message(ArchiveMessage::Block);
            message(static_cast<std::uint64_t>(offset));
            message.putBytes({static_cast<const std::byte*>(data), size});
            send(std::move(message));
        }
    }

    std::unique_ptr<archive, decltype(&archive_read_free)> m_archive;
    const SendMessage& m_send;
};

} // namespace

void sendArchive(int file, const SendMessage& send) { Sender(send).sendAll(file); }

} // namespace helio
