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

/// What is mapped in one process, and the ELF images behind it. One thread.
class MappedModules {
public:
    /// One image: a file at one place in memory.
    struct Item {
        std::string name; ///< Of file and place: the same image has the same name again.
        std::uint64_t begin = 0; ///< Of the whole image in memory.
        std::uint64_t end = 0;
        std::uint64_t bias = 0; ///< Address in memory minus the file's own.
        std::shared_ptr<const ElfFile> file;
        Module module;
        Symbolizer* symbolizer = nullptr;

        std::shared_ptr<const ElfFile> debugFile() const { return symbolizer->debugFileOf(module); }
    };

    MappedModules(Machine machine, std::shared_ptr<Symbolizer> symbolizer)
        : m_machine(machine)
        , m_symbolizer(std::move(symbolizer))
    {
    }

    void set(std::span<const Mapping> mappings, std::span<const Module> modules);
    const std::vector<Item*>& items() const { return m_items; } ///< Of the present mappings; Items live as long as this.
    std::shared_ptr<const ElfFile> anyFile() const { return m_items.empty() ? nullptr : m_items.front()->file; }

    const Mapping* mappingAt(std::uint64_t address) const;
    bool isFile(const Mapping& mapping) const; ///< Its addresses are offsets in a file.
    bool hasFile(const Mapping& mapping) const;
    /// Where the stub begins that the address lies in, of those through which a file calls others' functions (.plt). Nothing: in none.
    std::optional<std::uint64_t> stubAt(std::uint64_t address) const;
    /// A word of what files put there: constants and code.
    bool read(std::uint64_t address, std::uint64_t& word) const;

private:
    struct Placed {
        Mapping mapping;
        const Item* item = nullptr; ///< Null: its file was not found.
        bool isFile = false;
    };
    Item* itemOf(const Mapping& mapping, const Module& module);
    const Placed* placedAt(std::uint64_t address) const;

    Machine m_machine;
    std::shared_ptr<Symbolizer> m_symbolizer;
    std::map<std::string, std::unique_ptr<Item>> m_known; ///< By name; never forgotten, as libdwfl refers to them.
    std::vector<Item*> m_items;
    std::vector<Placed> m_placed; ///< By address; later ones cut earlier ones.
};

} // namespace helio
