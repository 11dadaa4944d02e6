#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace helio {

/// Reads the decisions of a structure-aware fuzzer from its input. After the end of the input, all numbers are 0 and all texts empty.
class FuzzInput {
public:
    FuzzInput(const std::uint8_t* data, std::size_t size)
        : m_bytes(reinterpret_cast<const char*>(data), size)
    {
    }

    bool isEmpty() const { return m_bytes.empty(); }
    template <typename Number> Number take()
    {
        Number number{};
        const std::string_view bytes = takeBytes(sizeof number);
        std::memcpy(&number, bytes.data(), bytes.size());
        return number;
    }
    std::uint8_t byte() { return take<std::uint8_t>(); }
    bool flag() { return (byte() & 1) != 0; }
    /// Returns a number below `count`; 0 if `count` is 0.
    std::size_t below(std::size_t count) { return count == 0 ? 0 : (count > 256 ? take<std::uint32_t>() : byte()) % count; }
    /// Returns a number of a random width, so that small numbers are as likely as large ones.
    std::uint64_t number()
    {
        switch (byte() % 5) {
        case 0: return byte() % 16;
        case 1: return byte();
        case 2: return take<std::uint16_t>();
        case 3: return take<std::uint32_t>();
        default: return take<std::uint64_t>();
        }
    }
    std::string_view takeBytes(std::size_t count)
    {
        const std::string_view bytes = m_bytes.substr(0, count);
        m_bytes.remove_prefix(bytes.size());
        return bytes;
    }
    /// Takes a text whose length, below 256, is its first byte.
    std::string_view text() { return takeBytes(byte()); }
    std::string_view rest() { return takeBytes(m_bytes.size()); }

private:
    std::string_view m_bytes;
};

/// Appends numbers in the byte order of a file.
class FuzzBytes {
public:
    explicit FuzzBytes(bool isBigEndian = false)
        : m_isBigEndian(isBigEndian)
    {
    }

    FuzzBytes& number(std::uint64_t value, unsigned bytes)
    {
        for (unsigned i = 0; i < bytes; ++i)
            all += static_cast<char>(value >> 8 * (m_isBigEndian ? bytes - 1 - i : i));
        return *this;
    }
    FuzzBytes& u8(std::uint64_t value) { return number(value, 1); }
    FuzzBytes& u16(std::uint64_t value) { return number(value, 2); }
    FuzzBytes& u32(std::uint64_t value) { return number(value, 4); }
    FuzzBytes& u64(std::uint64_t value) { return number(value, 8); }
    FuzzBytes& raw(std::string_view bytes)
    {
        all += bytes;
        return *this;
    }
    FuzzBytes& zeros(std::size_t count)
    {
        all.append(count, '\0');
        return *this;
    }
    FuzzBytes& align(std::size_t to) { return zeros((to - all.size() % to) % to); }

    std::string all;

private:
    bool m_isBigEndian;
};

/// Temporary folder of a fuzzer, in memory if possible. Removed by the destructor.
class FuzzFolder {
public:
    FuzzFolder()
        : m_path((std::filesystem::exists("/dev/shm") ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path())
                 / ("heliograph-fuzz-" + std::to_string(getpid())))
    {
        std::filesystem::create_directories(m_path);
    }
    ~FuzzFolder()
    {
        std::error_code error;
        std::filesystem::remove_all(m_path, error);
    }
    FuzzFolder(const FuzzFolder&) = delete;
    FuzzFolder& operator=(const FuzzFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    /// Writes a file and returns its path. The file is a new one, because the reader of an earlier input may have kept its copy mapped.
    std::filesystem::path write(const std::string& name, std::string_view bytes) const
    {
        std::filesystem::path file = m_path / name;
        std::error_code error;
        std::filesystem::remove(file, error);
        std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return file;
    }

private:
    std::filesystem::path m_path;
};

inline std::string_view fuzzText(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }
inline std::span<const std::byte> fuzzBytes(std::string_view text) { return std::as_bytes(std::span(text)); }

} // namespace helio
