#include "core/symbol/unwinding/mapped_modules.h"

#include <algorithm>
#include <cstring>

namespace helio {

namespace {

constexpr std::uint64_t MappedPageBytes = 4096;

/// Computes the bias: the address in memory minus the vaddr in the file. Uses only mappings of code, because the bias of data can be
/// ambiguous: some linkers let data begin on the last page of the text (lld, gold), or put text and data into one page of the file (bfd -z
/// noseparate-code). This page is then mapped twice, with different biases.
bool biasOf(const Mapping& mapping, const ElfFile& file, std::uint64_t& bias)
{
    if (!mapping.isCode)
        return false;
    for (const ElfSegment& segment : file.segments()) {
        const std::uint64_t firstPage = segment.offset & ~(MappedPageBytes - 1);
        if (segment.isExecutable && mapping.fileOffset >= firstPage && mapping.fileOffset < segment.offset + segment.fileSize) {
            bias = mapping.address - (segment.address + (mapping.fileOffset - segment.offset));
            return true;
        }
    }
    return false;
}

} // namespace

MappedModules::Image* MappedModules::imageOf(const Mapping& mapping, const Module& module)
{
    const auto file = m_symbolizer->fileOf(module);
    std::uint64_t bias = 0;
    if (!file || file->machine() != m_machine || !file->hasCode() || !biasOf(mapping, *file, bias))
        return nullptr;
    const ElfSegment& first = file->segments().front();
    const ElfSegment& last = file->segments().back();
    const std::uint64_t alignment = first.alignment > 1 && (first.alignment & (first.alignment - 1)) == 0 ? first.alignment : 1;
    // The loader maps the first segment at a multiple of its alignment.
    const std::uint64_t begin = bias + (first.address & ~(alignment - 1));
    const std::uint64_t end = bias + last.address + last.memorySize;
    if (end <= begin)
        return nullptr;
    const std::string name = module.path + "@" + std::to_string(begin) + ":" + file->buildId();
    auto& image = m_known[name];
    if (!image)
        image = std::make_unique<Image>(Image{name, begin, end, bias, file, module, m_symbolizer.get()});
    return image.get();
}

void MappedModules::set(std::span<const Mapping> mappings, std::span<const Module> modules)
{
    m_placed.clear();
    m_images.clear();
    for (const Mapping& mapping : mappings) {
        const auto index = static_cast<std::size_t>(mapping.module);
        if (mapping.size == 0 || mapping.address + mapping.size < mapping.address)
            continue;
        PlacedMapping placed{mapping, nullptr, false};
        if (index > 0 && index < modules.size()) {
            const Module& module = modules[index];
            placed.isFile = module.kind == Module::Kind::File || module.kind == Module::Kind::Vdso;
            if (placed.isFile)
                placed.image = imageOf(mapping, module);
        }
        m_placed.push_back(placed);
    }
    std::ranges::stable_sort(m_placed, {}, [](const PlacedMapping& placed) { return placed.mapping.address; });
    for (const PlacedMapping& placed : m_placed)
        if (placed.image && std::ranges::find(m_images, placed.image) == m_images.end())
            m_images.push_back(const_cast<Image*>(placed.image));
    for (PlacedMapping& placed : m_placed) // Assign a mapping of data to an image if it lies in the image's address range.
        for (const Image* image : m_images)
            if (placed.isFile && !placed.image && placed.mapping.address >= image->begin && placed.mapping.address < image->end)
                placed.image = image;
}

const MappedModules::PlacedMapping* MappedModules::placedAt(std::uint64_t address) const
{
    const auto after = std::ranges::upper_bound(m_placed, address, {}, [](const PlacedMapping& placed) { return placed.mapping.address; });
    if (after == m_placed.begin())
        return nullptr;
    const PlacedMapping& placed = *std::prev(after);
    return address - placed.mapping.address < placed.mapping.size ? &placed : nullptr;
}

const MappedModules::Image* MappedModules::imageAt(std::uint64_t address) const
{
    const PlacedMapping* placed = placedAt(address);
    return placed ? placed->image : nullptr;
}

const Mapping* MappedModules::mappingAt(std::uint64_t address) const
{
    const PlacedMapping* placed = placedAt(address);
    return placed ? &placed->mapping : nullptr;
}

bool MappedModules::isFile(const Mapping& mapping) const
{
    const PlacedMapping* placed = placedAt(mapping.address);
    return placed && placed->isFile;
}

bool MappedModules::hasFile(const Mapping& mapping) const
{
    const PlacedMapping* placed = placedAt(mapping.address);
    return placed && placed->image;
}

std::optional<std::uint64_t> MappedModules::stubAt(std::uint64_t address) const
{
    constexpr std::uint64_t StubBytes = 16;
    const PlacedMapping* placed = placedAt(address);
    if (!placed || !placed->image)
        return std::nullopt;
    const std::uint64_t vaddr = address - placed->image->bias;
    for (const ElfSection& section : placed->image->file->sections()) {
        const std::uint64_t within = vaddr - section.address;
        if (!section.name.starts_with(".plt") || vaddr < section.address || within >= section.size)
            continue;
        // Skip the first entry of .plt: it is no stub, but the code to which all stubs jump.
        if (section.name == ".plt" && within < StubBytes)
            return std::nullopt;
        return address - within % (section.name == ".plt.got" ? 8 : StubBytes);
    }
    return std::nullopt;
}

bool MappedModules::read(std::uint64_t address, std::uint64_t& word) const
{
    const PlacedMapping* placed = placedAt(address);
    if (!placed || !placed->image)
        return false;
    const auto bytes = placed->image->file->bytesAt(address - placed->image->bias, sizeof word);
    if (bytes.size() != sizeof word)
        return false;
    std::memcpy(&word, bytes.data(), sizeof word);
    return true;
}

} // namespace helio
