#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace helio::bench {

/// A newly created file with random-access writes.
/// Errors: system errors with the file's name; kind Full if the disk is full.
class OutputFile {
public:
    static Result<OutputFile> create(const std::filesystem::path& path);
    ~OutputFile();
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;

    Status write(std::uint64_t offset, std::span<const std::byte> bytes);
    Status close();

private:
    OutputFile(std::filesystem::path path, int file)
        : m_path(std::move(path))
        , m_file(file)
    {
    }

    std::filesystem::path m_path;
    int m_file;
};

} // namespace helio::bench
