#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace helio {

/// Takes a message with its header.
using SendMessage = std::function<void(std::span<const std::byte>)>;

/// Reads an archive with libarchive and sends the messages of archive_messages.h. `file` is a descriptor of the archive at its beginning.
void sendArchive(int file, const SendMessage& send);

} // namespace helio
