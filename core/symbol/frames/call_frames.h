#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace helio {

class ElfFile;

/// Numbers of registers in DWARF: on x86-64, 0 to 15 are the general registers and 16 is the return address; on aarch64, 0 to 30 are x0 to
/// x30 and 31 is sp. Rules for other registers are ignored.
constexpr std::size_t FrameRegisterCount = 33;

/// Rule that says where a caller's register is found.
struct RegisterRule {
    enum class Kind : std::uint8_t {
        Unspecified, ///< No rule: the calling convention of the processor decides.
        Undefined, ///< The value is lost.
        SameValue, ///< The function did not change the register.
        AtOffset, ///< The value is in memory at CFA + offset.
        ValueOffset, ///< The value is CFA + offset.
        Register, ///< The value is in the register `number`.
        AtExpression, ///< The value is in memory at the address that the expression computes.
        ValueExpression ///< The value is the result of the expression.
    };
    Kind kind = Kind::Unspecified;
    std::uint64_t number = 0; ///< Register.
    std::int64_t offset = 0; ///< Offset in bytes.
    std::span<const std::byte> expression; ///< DWARF operations.
};

/// Rules to find the caller at one instruction. The CFA (canonical frame address) is usually the stack pointer before the call.
struct FrameRow {
    RegisterRule cfa; ///< Rule of kind Register (value of the register plus the offset) or ValueExpression.
    std::array<RegisterRule, FrameRegisterCount> registers;
    std::size_t returnRegister = 0; ///< Register whose rule gives the return address.
    bool isSignalFrame = false; ///< True if the function is the kernel's return from a signal handler: it was not called.
    bool isSignedReturn = false; ///< True if the return address contains a signature (aarch64, pointer authentication).
};

/// Call frame information of a section .eh_frame or .debug_frame (DWARF 5, section 6.4; Linux Standard Base, section 10.6), of 64-bit
/// little-endian files.
///
/// Ownership: refers to the bytes of the section.
/// Threads: any thread at once.
/// Errors: damaged entries are skipped.
/// Cost: the constructor reads the headers of all entries, about 30 ns each, and keeps 32 bytes for each function. find() is a binary
/// search, rowAt() runs the instructions of one function.
class CallFrames {
public:
    enum class Format { EhFrame, DebugFrame };

    /// Frame description entry (FDE): the address range of a function, in vaddrs, and its instructions.
    struct Function {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint64_t instructions = 0; ///< Offset of the instructions in the section.
        std::uint32_t instructionBytes = 0;
        std::uint32_t cie = 0; ///< Index into m_cies.
    };

    CallFrames() = default;
    /// `address` is the vaddr of the section. If `endsAtZero` is true, the section ends at an entry of length zero, and the
    /// bytes after it are ignored.
    CallFrames(std::span<const std::byte> bytes, std::uint64_t address, Format format, bool endsAtZero = false);

    /// Returns all functions, sorted by their start.
    const std::vector<Function>& functions() const { return m_functions; }
    const Function* find(std::uint64_t vaddr) const;
    /// Returns the rules at an address; nullopt if no function contains it or its instructions are damaged.
    std::optional<FrameRow> rowAt(std::uint64_t vaddr) const;

private:
    /// Common information entry, which several functions share.
    struct Cie {
        std::uint64_t codeAlignment = 1;
        std::int64_t dataAlignment = 1;
        std::uint64_t returnRegister = 0;
        std::uint8_t encoding = 0; ///< Encoding DW_EH_PE_* of function addresses.
        bool hasAugmentationData = false;
        bool isSignalFrame = false;
        std::span<const std::byte> instructions;
    };
    class Program;

    static std::optional<Cie> cieOf(std::span<const std::byte> entry, std::uint64_t address, Format format);
    void addFunction(std::span<const std::byte> entry, std::uint64_t offset, std::uint32_t common);

    std::span<const std::byte> m_bytes;
    std::uint64_t m_address = 0;
    std::vector<Cie> m_cies;
    std::vector<Function> m_functions;
};

/// Call frame information of one file.
/// Ownership: keeps the file.
struct FileFrames {
    std::shared_ptr<const ElfFile> file;
    std::vector<std::byte> unpacked; ///< Content of a compressed section; empty if it is not compressed.
    CallFrames frames;

    FileFrames() = default;
    FileFrames(const FileFrames&) = delete;
    FileFrames& operator=(const FileFrames&) = delete;
};

/// Returns the information in a file's .eh_frame; without functions if it has none, or if its processor is not supported. A file without
/// section headers is searched through its program header of type PT_GNU_EH_FRAME.
std::shared_ptr<const FileFrames> ehFramesOf(std::shared_ptr<const ElfFile> file);
/// Returns the information in a file's .debug_frame, which may be compressed.
std::shared_ptr<const FileFrames> debugFramesOf(std::shared_ptr<const ElfFile> file);

} // namespace helio
