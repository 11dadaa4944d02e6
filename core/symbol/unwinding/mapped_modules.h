#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"
#include "core/trace/process/module.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// Mappings of one process and the ELF images behind them.
/// Threads: to be used by one thread at a time.
class MappedModules {
public:
    /// An image: an ELF file that is mapped at one base address. If the file is unmapped and later mapped at that address again, it
    /// is the same image.
    struct Image {
        /// Name made from the path and the base address of the image, so that it is unique. An image that is mapped again gets the same
        /// name.
        std::string name;
        std::uint64_t begin = 0; ///< First memory address of the whole image.
        std::uint64_t end = 0;
        std::uint64_t bias = 0; ///< Address in memory minus the file's vaddr.
        std::shared_ptr<const ElfFile> file;
        Module module;
        Symbolizer* symbolizer = nullptr;

        std::shared_ptr<const ElfFile> debugFile() const { return symbolizer->debugFileOf(module); }
    };

    MappedModules(ElfMachine machine, std::shared_ptr<Symbolizer> symbolizer)
        : m_machine(machine)
        , m_symbolizer(std::move(symbolizer))
    {
    }

    void set(std::span<const Mapping> mappings, std::span<const Module> modules);
    /// Returns the files of the mappings that were passed to the last call of set(), each with its address range. The pointers stay
    /// valid as long as this object.
    const std::vector<Image*>& images() const { return m_images; }
    /// Returns the image that is mapped at the address; nullptr if there is none.
    const Image* imageAt(std::uint64_t address) const;

    const Mapping* mappingAt(std::uint64_t address) const;
    /// True if the mapping maps a file, so that its addresses correspond to offsets in the file.
    bool isFile(const Mapping& mapping) const;
    bool hasFile(const Mapping& mapping) const;
    /// Returns the start of the stub (.plt) that contains the address; nullopt if no stub does. Code calls functions of other files through
    /// stubs.
    std::optional<std::uint64_t> stubAt(std::uint64_t address) const;
    /// Reads a word of constants or code from the mapped files; returns false if no file contains the address.
    bool read(std::uint64_t address, std::uint64_t& word) const;

private:
    struct PlacedMapping {
        Mapping mapping;
        /// Image to which the mapping belongs; nullptr if the mapping has no file, or if the file was not found.
        const Image* image = nullptr;
        bool isFile = false;
    };
    Image* imageOf(const Mapping& mapping, const Module& module);
    const PlacedMapping* placedAt(std::uint64_t address) const;

    ElfMachine m_machine;
    std::shared_ptr<Symbolizer> m_symbolizer;
    std::map<std::string, std::unique_ptr<Image>> m_known; ///< Images by name; never removed, because they are likely to be mapped again.
    std::vector<Image*> m_images;
    /// Mappings sorted by address; a later mapping replaces the overlapping range of earlier mappings.
    std::vector<PlacedMapping> m_placed;
};

} // namespace helio
