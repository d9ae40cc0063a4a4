/* The part of ICU's data that `preheat` needs; scripts/slim-icu has taken it out of the Swift runtime, and says why.
 *
 * A static runtime is an archive: the linker takes a member out of it for a symbol that nothing before it defines. This
 * file defines the symbol of ICU's data first, so the member with all 33 MB stays where it is. It is hidden, as in the
 * archive. Without slim-icu's icu.h, in debug builds and for packages that depend on this one, the file is empty and all
 * of the data is linked. `preheat-render` asks nothing of ICU, and the linker drops the section (HostTests).
 *
 * ICU_SYMBOL  the name, with the version of ICU: icudt76_dat
 * ICU_DATA    the path of the package, whose items lie at multiples of 16 */
#if __has_include("../../../.build/icu/icu.h")
#include "../../../.build/icu/icu.h"

.section .rodata
.balign 16
.globl ICU_SYMBOL
.hidden ICU_SYMBOL
.type ICU_SYMBOL, %object
ICU_SYMBOL:
.incbin ICU_DATA
.size ICU_SYMBOL, . - ICU_SYMBOL
#endif

.section .note.GNU-stack, "", %progbits
